//! Test vectors: their bytes, and that the layout reads from them what they expect.

use super::Resolver;
use crate::codes::Code;
use crate::decode::{Problem, Record, decode, decode_payload};
use crate::diagnostic::{Diagnostic, Place, Step, Target};
use crate::expr::Context;
use crate::model::{EventVersion, Payload, Vector};
use crate::names::closest;
use crate::raw;

impl<'a> Resolver<'a> {
    /// Resolves and runs the vectors of all structures. Values are compared only if all else is sound.
    pub(super) fn vectors(&mut self) {
        let sound = !crate::diagnostic::has_errors(&self.problems);
        let mut index = 0;
        for (file, raw) in self.files.iter().enumerate() {
            for (at, structure) in raw.structures.iter().enumerate() {
                let place = Place::file(file).key("structures").index(at);
                self.structure_vectors(index, structure, &place, sound);
                index += 1;
            }
        }
        self.payload_vectors(sound);
    }

    /// Resolves and runs the vectors of event versions.
    fn payload_vectors(&mut self, sound: bool) {
        let mut classes = std::mem::take(&mut self.schema.classes);
        for event in classes.iter_mut().flat_map(|class| &mut class.events) {
            self.version_vectors(&event.name, &mut event.versions, sound);
        }
        self.schema.classes = classes;
        let mut providers = std::mem::take(&mut self.schema.providers);
        for provider in &mut providers {
            for event in &mut provider.events {
                let name = format!("{}/{}", provider.name, event.name);
                self.version_vectors(&name, &mut event.versions, sound);
            }
        }
        self.schema.providers = providers;
    }

    fn version_vectors(&mut self, event: &str, versions: &mut [EventVersion], sound: bool) {
        for version in versions {
            let Some(raw) = self.raw_version(&version.place) else {
                continue;
            };
            for (at, raw) in raw.vectors.iter().enumerate() {
                let Some(vector) = self.vector(raw, &version.place.key("vectors").index(at)) else {
                    continue;
                };
                let layout = match version.payload {
                    Payload::Layout(index) => self.schema.layouts.get(index),
                    _ => None,
                };
                if let Some(layout) = layout.filter(|_| sound) {
                    let name = format!("{event} version {}", version.version);
                    let decoded = decode_payload(&self.schema, layout, &vector.bytes, vector.context);
                    let decoded = match decoded.short {
                        None => Ok((decoded.record, decoded.used)),
                        Some(problem) => Err(problem),
                    };
                    self.compare(&name, decoded, &vector);
                }
                version.vectors.push(vector);
            }
        }
    }

    /// The event version at a place, of a class or of a provider.
    fn raw_version(&self, place: &Place) -> Option<&'a raw::EventVersion> {
        let [
            Step::Key(list),
            Step::Index(owner),
            _,
            Step::Index(event),
            _,
            Step::Index(version),
        ] = place.steps.as_slice()
        else {
            return None;
        };
        let file = self.files.get(place.file)?;
        let versions = match list.as_str() {
            "providers" => &file.providers.get(*owner)?.events.get(*event)?.versions,
            _ => &file.event_classes.get(*owner)?.events.get(*event)?.versions,
        };
        versions.get(*version)
    }

    fn structure_vectors(&mut self, index: usize, raw: &raw::Structure, place: &Place, sound: bool) {
        if raw.vectors.is_empty() {
            self.report(
                Diagnostic::at(
                    Code::MissingVector,
                    &place.key("name"),
                    format!("{} has no test vector", raw.name),
                    "never tried on bytes",
                )
                .help("add `vectors: [{doc, bytes, expect}]`"),
            );
        }
        for (at, raw) in raw.vectors.iter().enumerate() {
            let place = place.key("vectors").index(at);
            let Some(vector) = self.vector(raw, &place) else { continue };
            if sound {
                self.run(index, &vector);
            }
            if let Some(structure) = self.schema.structures.get_mut(index) {
                structure.vectors.push(vector);
            }
        }
    }

    fn vector(&mut self, raw: &raw::Vector, place: &Place) -> Option<Vector> {
        let bytes = match parse_hex(&raw.bytes) {
            Ok(bytes) => bytes,
            Err((at, label)) => {
                let text = raw
                    .bytes
                    .get(at..)
                    .and_then(|rest| rest.chars().next())
                    .map(String::from)
                    .unwrap_or_default();
                let target = Target::Part {
                    place: place.key("bytes"),
                    at,
                    text,
                };
                self.report(
                    Diagnostic::new(Code::VectorBytes, target, "the bytes are not pairs of hex digits", label)
                        .help("write two hex digits for each byte, with blanks where you like"),
                );
                return None;
            }
        };
        let defaults = Context::default();
        let pointer_size = match raw.pointers {
            None => defaults.pointer_size,
            Some(bits @ (32 | 64)) => bits / 8,
            Some(bits) => {
                self.report(
                    Diagnostic::at(
                        Code::VectorBytes,
                        &place.key("pointers"),
                        format!("no pointer has {bits} bits"),
                        "impossible",
                    )
                    .help("write 32 or 64"),
                );
                return None;
            }
        };
        let context = Context {
            pointer_size,
            log_version: raw.log_version.unwrap_or(defaults.log_version),
        };
        Some(Vector {
            doc: raw.doc.clone(),
            bytes,
            context,
            expect: raw.expect.0.clone(),
            place: place.clone(),
        })
    }

    fn run(&mut self, index: usize, vector: &Vector) {
        let Some(structure) = self.schema.structures.get(index) else {
            return;
        };
        let name = structure.name.clone();
        let decoded = decode(&self.schema, structure, &vector.bytes, vector.context);
        self.compare(&name, decoded, vector);
    }

    /// Reports what a vector says otherwise than its bytes.
    fn compare(&mut self, name: &str, decoded: Result<(Record, usize), Problem>, vector: &Vector) {
        let bytes = vector.place.key("bytes");
        let (record, used) = match decoded {
            Ok(decoded) => decoded,
            Err(Problem {
                field,
                offset,
                needed,
                available,
                ..
            }) => {
                return self.report(
                    Diagnostic::at(
                        Code::VectorDecode,
                        &bytes,
                        format!("the vector of {name} ends within `{field}`"),
                        format!("at byte {offset:#x}, `{field}` needs {needed} bytes, {available} are left"),
                    )
                    .help("complete the bytes, or correct the layout"),
                );
            }
        };
        if used < vector.bytes.len() {
            self.report(
                Diagnostic::at(
                    Code::VectorDecode,
                    &bytes,
                    format!("the vector of {name} is longer than the structure"),
                    format!("{} bytes, of which {used} are read", vector.bytes.len()),
                )
                .help("cut the bytes, or correct the layout"),
            );
        }
        for (field, expected) in &vector.expect {
            let place = vector.place.key("expect").key(field);
            match record.find(field) {
                None => {
                    let names = record.names();
                    let help = match closest(field, names.iter().map(String::as_str)) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None => format!("the fields are: {}", names.join(", ")),
                    };
                    self.report(
                        Diagnostic::new(
                            Code::VectorValue,
                            Target::Key(place),
                            format!("{name} has no field `{field}`"),
                            "unknown field",
                        )
                        .help(help),
                    );
                }
                Some(value) if !value.matches(expected) => self.report(
                    Diagnostic::at(
                        Code::VectorValue,
                        &place,
                        format!("`{field}` of {name} is {value}, not what the vector expects"),
                        format!("the bytes say {value}"),
                    )
                    .help("correct the bytes, the layout, or the expectation: they contradict each other"),
                ),
                Some(_) => {}
            }
        }
    }
}

/// The bytes, or where the text goes wrong and how.
fn parse_hex(text: &str) -> Result<Vec<u8>, (usize, &'static str)> {
    let mut bytes = Vec::new();
    let mut half = None;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let digit = c
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
            .ok_or((at, "not a hex digit"))?;
        match half.take() {
            Some(high) => bytes.push(high << 4 | digit),
            None => half = Some(digit),
        }
    }
    if half.is_some() {
        Err((text.len(), "half a byte is missing"))
    } else {
        Ok(bytes)
    }
}
