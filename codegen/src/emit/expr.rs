//! Expressions as Rust, with the rules of [`crate::expr`].

use proc_macro2::TokenStream;
use quote::quote;

use super::{hex, ident};
use crate::expr::{Binary, ContextValue, Expr, Reference, Unary};
use crate::model::{MemberKind, Schema, Stored, Structure, Type};

/// Where the fields of an expression are found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Access {
    /// Local names, as while a structure is read.
    Locals,
    /// Fields of `self`.
    SelfFields,
}

/// A `u64` expression.
pub(super) fn value(schema: &Schema, structure: &Structure, expr: &Expr, access: Access) -> TokenStream {
    let of = |expr: &Expr| value(schema, structure, expr, access);
    match expr {
        Expr::Number(number) => {
            let number = hex(*number);
            quote!(#number)
        }
        Expr::Name(Reference::Context(ContextValue::PointerSize)) => quote!(u64::from(context.pointer_size)),
        Expr::Name(Reference::Context(ContextValue::LogVersion)) => quote!(u64::from(context.log_version)),
        Expr::Name(Reference::Field(path)) => {
            let place = field(schema, structure, path, access);
            quote!(Number::number(&#place))
        }
        Expr::Unary(Unary::Not, _) | Expr::Binary(Binary::Or | Binary::And, ..) => {
            let truth = condition(schema, structure, expr, access);
            quote!(u64::from(#truth))
        }
        Expr::Unary(Unary::Complement, operand) => {
            let operand = of(operand);
            quote!((!#operand))
        }
        Expr::Choice(test, first, second) => {
            let (test, first, second) = (condition(schema, structure, test, access), of(first), of(second));
            quote!(if #test { #first } else { #second })
        }
        Expr::Binary(operator, left, right) => {
            let shift = right.constant().filter(|shift| *shift < 64).is_some();
            let (left, right) = (of(left), of(right));
            match operator {
                Binary::Or | Binary::And => TokenStream::new(),
                Binary::Equal
                | Binary::NotEqual
                | Binary::Less
                | Binary::LessOrEqual
                | Binary::Greater
                | Binary::GreaterOrEqual => {
                    let truth = condition(schema, structure, expr, access);
                    quote!(u64::from(#truth))
                }
                Binary::BitOr => quote!((#left | #right)),
                Binary::BitXor => quote!((#left ^ #right)),
                Binary::BitAnd => quote!((#left & #right)),
                Binary::ShiftLeft if shift => quote!((#left << #right)),
                Binary::ShiftRight if shift => quote!((#left >> #right)),
                Binary::ShiftLeft => quote!(shift_left(#left, #right)),
                Binary::ShiftRight => quote!(shift_right(#left, #right)),
                Binary::Add => quote!(u64::saturating_add(#left, #right)),
                Binary::Subtract => quote!(u64::saturating_sub(#left, #right)),
                Binary::Multiply => quote!(u64::saturating_mul(#left, #right)),
                Binary::Divide => quote!(u64::checked_div(#left, #right).unwrap_or(0)),
                Binary::Remainder => quote!(u64::checked_rem(#left, #right).unwrap_or(0)),
            }
        }
    }
}

/// A `bool` expression: whether the value is not zero.
pub(super) fn condition(schema: &Schema, structure: &Structure, expr: &Expr, access: Access) -> TokenStream {
    let of = |expr: &Expr| value(schema, structure, expr, access);
    let test = |expr: &Expr| condition(schema, structure, expr, access);
    let comparison = |operator: TokenStream, left: &Expr, right: &Expr| {
        let (left, right) = (of(left), of(right));
        quote!(#left #operator #right)
    };
    match expr {
        Expr::Unary(Unary::Not, operand) => {
            let operand = of(operand);
            quote!(#operand == 0)
        }
        Expr::Binary(Binary::Or, left, right) => {
            let (left, right) = (test(left), test(right));
            quote!((#left || #right))
        }
        Expr::Binary(Binary::And, left, right) => {
            let (left, right) = (test(left), test(right));
            quote!((#left && #right))
        }
        Expr::Binary(Binary::Equal, left, right) => comparison(quote!(==), left, right),
        Expr::Binary(Binary::NotEqual, left, right) => comparison(quote!(!=), left, right),
        Expr::Binary(Binary::Less, left, right) => comparison(quote!(<), left, right),
        Expr::Binary(Binary::LessOrEqual, left, right) => comparison(quote!(<=), left, right),
        Expr::Binary(Binary::Greater, left, right) => comparison(quote!(>), left, right),
        Expr::Binary(Binary::GreaterOrEqual, left, right) => comparison(quote!(>=), left, right),
        other => {
            let number = of(other);
            quote!(#number != 0)
        }
    }
}

/// A stored field by its path of member indices.
pub(super) fn field(schema: &Schema, structure: &Structure, path: &[usize], access: Access) -> TokenStream {
    let mut tokens = match access {
        Access::Locals => TokenStream::new(),
        Access::SelfFields => quote!(self),
    };
    let mut current = Some(structure);
    for index in path {
        let Some(member) = current.and_then(|structure| structure.members.get(*index)) else {
            break;
        };
        let name = ident(&member.rust_name);
        tokens = if tokens.is_empty() {
            quote!(#name)
        } else {
            quote!(#tokens.#name)
        };
        current = match &member.kind {
            MemberKind::Stored(Stored {
                ty: Type::Structure(nested),
                ..
            }) => schema.structures.get(*nested),
            _ => None,
        };
    }
    tokens
}
