//! Where the schema says what a byte is: file and line.

use winetl_codegen::Schema;
use winetl_codegen::diagnostic::{Place, Step};
use winetl_codegen::locate::locate;

use super::Model;
use super::tree::Written;

impl Model {
    /// File and line, as `schema/buffer.yaml:12`; for the schema that is built in, as `builtin buffer.yaml:12`.
    pub(super) fn place(&self, written: Written) -> Option<String> {
        let schema = self.interpreter.schema();
        let place = match written {
            Written::Structure(index) => schema.structures.get(index)?.place.clone(),
            Written::Member(structure, member) => schema.structures.get(structure)?.members.get(member)?.place.clone(),
            Written::Layout(index) => schema.layouts.get(index)?.place.clone(),
            Written::Field(layout, field) => self.field(schema, layout, field)?,
        };
        self.text(&schema.origins.written(&place))
    }

    /// The field of a layout, or of that which it extends: the fields of both have one numbering.
    fn field(&self, schema: &Schema, layout: usize, field: usize) -> Option<Place> {
        let layout = schema.layouts.get(layout)?;
        let inherited = schema.layouts.iter().position(|base| {
            let shares = base.fields.len() < layout.fields.len() && layout.fields.starts_with(&base.fields);
            shares && self.node(&schema.origins.written(&layout.place.key("extends"))) == Some(base.name.as_str())
        });
        let skipped = inherited
            .and_then(|base| schema.layouts.get(base))
            .map_or(0, |base| base.fields.len());
        match inherited {
            Some(base) if field < skipped => self.field(schema, base, field),
            _ => Some(layout.place.key("fields").index(field - skipped)),
        }
    }

    /// Text of a node, if it is there.
    fn node(&self, place: &Place) -> Option<&str> {
        let text = self.sources.files.get(place.file)?.text.as_str();
        // A node that is not there gives way to the one around it, which begins with its first key.
        let found = text.get(locate(text, &place.steps))?;
        let is_key = place.steps.last() == Some(&Step::Key(found.to_owned()));
        (!is_key).then_some(found)
    }

    fn text(&self, place: &Place) -> Option<String> {
        let file = self.sources.files.get(place.file)?;
        let start = locate(&file.text, &place.steps).start;
        let line = file.text.get(..start)?.matches('\n').count() + 1;
        Some(if self.builtin {
            format!("builtin {}:{line}", file.schema_name())
        } else {
            format!("{}:{line}", self.sources.display_name(place.file))
        })
    }
}
