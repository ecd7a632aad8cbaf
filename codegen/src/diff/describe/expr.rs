//! Expressions as text in which names of fields are references.

use super::super::value::Value;
use super::{Items, number};
use crate::expr::{Binary, ContextValue, Expr, Reference, Unary};
use crate::model::{MemberKind, Stored, Type};

/// An expression over the fields of a structure.
pub(super) fn expr(items: Items<'_>, structure: usize, expression: &Expr) -> Value {
    let operand = |inner: &Expr| {
        let value = expr(items, structure, inner);
        match inner {
            Expr::Binary(..) | Expr::Choice(..) => Value::text("(").and(value).then(")"),
            Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) => value,
        }
    };
    match expression {
        Expr::Number(value) => Value::text(number(*value)),
        Expr::Name(Reference::Context(ContextValue::PointerSize)) => Value::text("PointerSize"),
        Expr::Name(Reference::Context(ContextValue::LogVersion)) => Value::text("LogVersion"),
        Expr::Name(Reference::Field(path)) => field(items, structure, path),
        Expr::Unary(Unary::Not, inner) => Value::text("!").and(operand(inner)),
        Expr::Unary(Unary::Complement, inner) => Value::text("~").and(operand(inner)),
        Expr::Binary(operator, left, right) => operand(left).then(format!(" {} ", sign(*operator))).and(operand(right)),
        Expr::Choice(condition, first, second) => operand(condition)
            .then(" ? ")
            .and(operand(first))
            .then(" : ")
            .and(operand(second)),
    }
}

fn field(items: Items<'_>, structure: usize, path: &[usize]) -> Value {
    let mut value = Value::default();
    let mut current = Some(structure);
    for &member in path {
        let Some(index) = current else { break };
        if !value.0.is_empty() {
            value = value.then(".");
        }
        value = value.and(Value::part(items.structure(index), member));
        let found = items
            .schema
            .structures
            .get(index)
            .and_then(|structure| structure.members.get(member));
        current = match found.map(|member| &member.kind) {
            Some(MemberKind::Stored(Stored {
                ty: Type::Structure(nested),
                ..
            })) => Some(*nested),
            _ => None,
        };
    }
    value
}

const fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Or => "||",
        Binary::And => "&&",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterOrEqual => ">=",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::BitAnd => "&",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
    }
}
