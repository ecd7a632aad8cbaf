//! Binds the names of an expression to fields, constants and context values.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place, Target};
use crate::expr::{self, ContextValue, Expr, Expression, Reference};
use crate::model::{Length, Member, MemberKind, Stored, Type};
use crate::names::closest;
use crate::raw;

/// What an expression can refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'s> {
    /// What has been read before.
    pub members: &'s [Member],
    /// Names of the structure that come later, for a better message.
    pub later: &'s [&'s str],
    /// Whether context values can be used.
    pub context: bool,
}

impl Scope<'_> {
    /// Only constants and context values.
    pub(super) const CONTEXT: Scope<'static> = Scope {
        members: &[],
        later: &[],
        context: true,
    };
}

impl Resolver<'_> {
    /// Resolves a length: a number, an expression, or `rest`.
    pub(super) fn length(&mut self, raw: &raw::Expression, scope: Scope<'_>, place: &Place) -> Option<Length> {
        if *raw == raw::Expression::Text("rest".to_owned()) {
            return Some(Length::Rest);
        }
        let expr = self.expression(raw, scope, place)?;
        Some(match expr.constant().map(u32::try_from) {
            Some(Ok(number)) => Length::Fixed(number),
            Some(Err(_)) => {
                self.report(
                    Diagnostic::at(Code::Length, place, "the length does not fit into 32 bits", "too large")
                        .help("no event is larger than 65,535 bytes"),
                );
                return None;
            }
            None => Length::Computed(expr),
        })
    }

    /// Parses and binds an expression; problems are reported and give `None`.
    pub(super) fn expression(&mut self, raw: &raw::Expression, scope: Scope<'_>, place: &Place) -> Option<Expr> {
        let text = match raw {
            raw::Expression::Number(number) => return Some(Expr::Number(*number)),
            raw::Expression::Text(text) => text,
        };
        let parsed = match expr::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let target = Target::Part {
                    place: place.clone(),
                    at: error.at,
                    text: String::new(),
                };
                self.report(
                    Diagnostic::new(
                        Code::ExpressionSyntax,
                        target,
                        format!("bad expression: {}", error.message),
                        "here",
                    )
                    .help("see \"Expressions\" in schema/README.md for the operators"),
                );
                return None;
            }
        };
        match parsed.try_map(&mut |name: &String| self.bind(name, scope).map_err(|problem| (problem, name.clone()))) {
            Ok(expr) => Some(expr),
            Err((problem, name)) => {
                let target = Target::Part {
                    place: place.clone(),
                    at: word_at(text, &name),
                    text: name,
                };
                self.report(Diagnostic::new(problem.code, target, problem.message, problem.label).help(problem.help));
                None
            }
        }
    }

    fn bind(&self, name: &str, scope: Scope<'_>) -> Result<Expr, Unbound> {
        let mut segments = name.split('.');
        let first = segments.next().unwrap_or_default();
        if let Some(index) = scope.members.iter().position(|member| member.name == first) {
            let mut member = &scope.members[index];
            let mut path = vec![index];
            for segment in segments {
                let nested = match &member.kind {
                    MemberKind::Stored(Stored {
                        ty: Type::Structure(nested),
                        count: None,
                        ..
                    }) => self.schema.structures.get(*nested),
                    _ => None,
                };
                let found =
                    nested.and_then(|nested| nested.members.iter().enumerate().find(|(_, member)| member.name == segment));
                let Some((index, inner)) = found else {
                    let names: Vec<&str> = nested
                        .map(|nested| nested.members.iter().map(|member| member.name.as_str()).collect())
                        .unwrap_or_default();
                    let help = match closest(segment, names.iter().copied()) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None if nested.is_none() => format!(
                            "only the fields of one nested structure can be named so; {} is none",
                            member.name
                        ),
                        None => format!("its fields are: {}", names.join(", ")),
                    };
                    return Err(Unbound {
                        code: Code::UnknownValue,
                        message: format!("`{name}` is not known: {} has no `{segment}`", member.name),
                        label: "unknown field".to_owned(),
                        help,
                    });
                };
                path.push(index);
                member = inner;
            }
            return self.value_of(member, &path);
        }
        if let Some(value) = self.constants.get(name) {
            return Ok(Expr::Number(*value));
        }
        match ContextValue::find(name) {
            Some(value) if scope.context => return Ok(Expr::Name(Reference::Context(value))),
            Some(_) => {
                return Err(Unbound {
                    code: Code::UnknownValue,
                    message: format!("`{name}` cannot be used here"),
                    label: "context value".to_owned(),
                    help: "context values are known only while a structure is read: use them in `if`, `count` or `size`"
                        .to_owned(),
                });
            }
            None => {}
        }
        if scope.later.contains(&first) {
            return Err(Unbound {
                code: Code::LaterField,
                message: format!("`{first}` is not known yet where this refers to it"),
                label: "not read yet".to_owned(),
                help: "use only what stands before; under `derived` all fields are known".to_owned(),
            });
        }
        let known = scope
            .members
            .iter()
            .map(|member| member.name.as_str())
            .chain(self.constants.keys().copied());
        Err(Unbound {
            code: Code::UnknownValue,
            message: format!("`{name}` is not known"),
            label: "unknown name".to_owned(),
            help: match closest(name, known) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => "name an earlier field, a flag bit, an enum value, PointerSize or LogVersion".to_owned(),
            },
        })
    }

    fn value_of(&self, member: &Member, path: &[usize]) -> Result<Expr, Unbound> {
        match &member.kind {
            // A computed value is replaced by its expression, so both executors only ever see stored fields.
            MemberKind::Computed(computed) => {
                let prefix = path.split_last().map(|(_, prefix)| prefix).unwrap_or_default();
                Ok(computed.value.within(prefix))
            }
            MemberKind::Stored(stored)
                if stored.count.is_none() && (stored.ty == Type::Pointer || self.schema.unsigned_int(&stored.ty).is_some()) =>
            {
                Ok(Expression::Name(Reference::Field(path.to_vec())))
            }
            MemberKind::Stored(stored) => Err(Unbound {
                code: Code::NotANumber,
                message: format!("`{}` is not a number that expressions can use", member.name),
                label: format!("its type is {}", self.schema.type_name(&stored.ty)),
                help: "use an unsigned integer, an enum or a flag field".to_owned(),
            }),
        }
    }
}

/// Byte at which a name stands in an expression, as a whole word.
fn word_at(text: &str, name: &str) -> usize {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let whole = |at: usize| {
        let before = text.get(..at).is_some_and(|before| before.ends_with(part_of_name));
        let after = text
            .get(at + name.len()..)
            .is_some_and(|after| after.starts_with(part_of_name));
        !before && !after
    };
    text.match_indices(name).map(|(at, _)| at).find(|at| whole(*at)).unwrap_or(0)
}

/// Why a name could not be bound.
struct Unbound {
    code: Code,
    message: String,
    label: String,
    help: String,
}
