//! Which structure follows which type value: the dispatches of a schema.

use winetl::Context;
use winetl::dispatch::Case;
use winetl_codegen::expr;
use winetl_codegen::model::{self, Dispatch, Schema, Selector};

use super::statics::{Statics, leak, text};

/// A dispatch with the cases in the form of the runtime.
#[derive(Debug)]
pub(super) struct Selection {
    dispatch: Dispatch,
    cases: Vec<&'static Case>,
}

impl Selection {
    pub(super) fn new(dispatch: &Dispatch, statics: &Statics) -> Self {
        let cases = dispatch.cases.iter().map(|case| -> &'static Case {
            leak(Case {
                name: text(case.name.as_str()),
                structure: case.structure.unwrap_or(usize::MAX),
                info: case.structure.and_then(|index| statics.structures.get(index).copied()),
                pointer_size: case.pointer_size.and_then(|size| u8::try_from(size).ok()),
                opaque: case.opaque,
                doc: case.doc.as_ref().map_or("", |doc| text(doc.as_str())),
            })
        });
        Self {
            dispatch: dispatch.clone(),
            cases: cases.collect(),
        }
    }

    /// The case that the first bytes of a record belong to.
    pub(super) fn by_bytes(&self, bytes: &[u8], context: Context) -> Option<&'static Case> {
        let marker = match &self.dispatch.marker {
            Some(marker) => Some(number(bytes, marker)?),
            None => None,
        };
        self.find(marker, number(bytes, &self.dispatch.selector)?, context)
    }

    /// The case of a type value that comes from outside.
    pub(super) fn by_value(&self, value: u64, context: Context) -> Option<&'static Case> {
        self.find(None, value, context)
    }

    fn find(&self, marker: Option<u64>, value: u64, context: Context) -> Option<&'static Case> {
        let fits = |case: &model::Case| {
            let marked = match (case.marker, marker) {
                (Some((wanted, mask)), Some(found)) => found & mask == wanted,
                _ => true,
            };
            let applies = |when: &expr::Expr| when.evaluate(&|_| 0, model_context(context)) != 0;
            marked && case.value.is_none_or(|wanted| wanted == value) && case.when.as_ref().is_none_or(applies)
        };
        let index = self.dispatch.cases.iter().position(fits)?;
        self.cases.get(index).copied()
    }
}

/// The dispatch of a name.
pub(super) fn find<'s>(schema: &'s Schema, name: &str) -> Option<&'s Dispatch> {
    schema.dispatches.iter().find(|dispatch| dispatch.name == name)
}

/// The context in the form of the schema compiler.
pub(super) fn model_context(context: Context) -> expr::Context {
    expr::Context {
        pointer_size: u32::from(context.pointer_size),
        log_version: u32::from(context.log_version),
    }
}

fn number(bytes: &[u8], selector: &Selector) -> Option<u64> {
    let start = selector.offset? as usize;
    let field = bytes.get(start..start + selector.int.bytes as usize)?;
    let number = field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(number & selector.mask.unwrap_or(u64::MAX))
}
