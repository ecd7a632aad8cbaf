//! The cheap look at what events are chosen by, in headers with nothing but their fixed part.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::arms;
use super::expr::{self, Access};
use super::{doc_lines, ident, number};
use crate::expr::Expr;
use crate::model::{Computed, Dispatch, Int, Length, Member, MemberKind, Schema, Stored, Structure, Type};
use crate::roles::{Role, RoleType};

/// The roles of a `Glance`. A field of it is named like its role.
const ROLES: [&str; 9] = [
    "timestamp",
    "hook_id",
    "provider_id",
    "class_id",
    "event_id",
    "level",
    "process_id",
    "thread_id",
    "has_extended_items",
];

/// The function that looks at a header.
pub(super) fn emit(schema: &Schema, dispatch: &Dispatch) -> TokenStream {
    let docs = doc_lines([
        "What events are chosen by, without decoding all of the header.",
        "`None` for a header of varying layout that has more than its fixed part, or if the bytes end before that does: then only decoding tells.",
    ]);
    let arms = arms(schema, dispatch, |structure| match fields(schema, structure) {
        Some((size, guards, fields)) => {
            let size = number(size.into());
            quote!({
                let bytes = bytes.get(..#size)?;
                #guards
                Some(Glance { #fields })
            })
        }
        None => quote!(None),
    });
    quote! {
        #docs
        #[inline]
        pub fn glance(case: &Case, bytes: &[u8]) -> Option<Glance> {
            match case.structure { #(#arms)* _ => None }
        }
    }
}

/// Bytes of a structure, the tests that no more follow, and the fields of its glance. `None` if a place varies, or if something
/// else than these tests tells whether more follow.
fn fields(schema: &Schema, structure: &Structure) -> Option<(u32, TokenStream, TokenStream)> {
    let size = structure.extent.fixed.same()?;
    let varying = structure.members.iter().filter_map(|member| match &member.kind {
        MemberKind::Stored(stored) if stored.extent.varies || stored.condition.is_some() => Some(stored),
        _ => None,
    });
    let guards = varying.map(|stored| {
        let there = match (&stored.condition, &stored.count) {
            (Some(expr), _) | (None, Some(Length::Computed(expr))) => expr,
            _ => return None,
        };
        let there = computed_number(schema, structure, there)?;
        Some(quote!(if #there != 0 { return None; }))
    });
    let guards = guards.collect::<Option<TokenStream>>()?;
    let roles = schema.roles_of(structure);
    // A packet is no event, and a structure with none of the values gives nothing to choose by.
    let (_, sized) = roles.iter().find(|(role, _)| role.name == "event_size")?;
    place(schema, structure, sized)?;
    if !roles.iter().any(|(role, _)| ROLES.contains(&role.name)) {
        return None;
    }
    let fields = ROLES.iter().map(|name| {
        let field = ident(name);
        let value = match roles.iter().find(|(role, _)| role.name == *name) {
            Some((role, path)) => {
                let value = value(schema, structure, role, path)?;
                quote!(Some(#value))
            }
            None => quote!(None),
        };
        Some(quote!(#field: #value,))
    });
    Some((size, guards, fields.collect::<Option<TokenStream>>()?))
}

/// The value of a role, read from `bytes`.
fn value(schema: &Schema, structure: &Structure, role: &Role, path: &[usize]) -> Option<TokenStream> {
    let member = schema.member(structure, path)?;
    match (&member.kind, role.ty) {
        (MemberKind::Computed(computed), RoleType::Unsigned) => computed_value(schema, structure, path, computed),
        (MemberKind::Computed(_), _) | (_, RoleType::Text) => None,
        (MemberKind::Stored(_), RoleType::Guid) => {
            let (offset, _) = place(schema, structure, path)?;
            let offset = number(offset.into());
            Some(quote!(Guid::from_bytes(*bytes.get(#offset..)?.first_chunk()?)))
        }
        (MemberKind::Stored(_), RoleType::Unsigned) => stored_value(schema, structure, path),
        // A shorter one would have to be extended by its sign.
        (MemberKind::Stored(stored), RoleType::Signed) => {
            let value = stored_value(schema, structure, path)?;
            matches!(stored.ty, Type::Int(Int { bytes: 8, .. }) | Type::Filetime).then(|| quote!(#value.cast_signed()))
        }
    }
}

fn stored_value(schema: &Schema, structure: &Structure, path: &[usize]) -> Option<TokenStream> {
    let (offset, bytes) = place(schema, structure, path)?;
    let (offset, bytes) = (number(offset.into()), number(bytes.into()));
    Some(quote!(little_endian(bytes, #offset, #bytes)?))
}

/// A computed value of the structure itself, made of fields of it.
fn computed_value(schema: &Schema, structure: &Structure, path: &[usize], computed: &Computed) -> Option<TokenStream> {
    let ([_], Type::Int(int)) = (path, &computed.ty) else {
        return None;
    };
    let value = computed_number(schema, structure, &computed.value)?;
    // What does not fit is cut off, as where the value is an integer of its own.
    let ty = ident(&format!("u{}", int.bytes * 8));
    Some(quote!(Number::number(&(#value as #ty))))
}

/// An expression over fields of the structure itself.
fn computed_number(schema: &Schema, structure: &Structure, expr: &Expr) -> Option<TokenStream> {
    let mut paths = expr.fields();
    paths.sort();
    paths.dedup();
    if expr.uses_context() || paths.is_empty() {
        return None;
    }
    let fields = paths.iter().map(|path| {
        let [index] = path.as_slice() else { return None };
        let name = ident(&structure.members.get(*index)?.rust_name);
        let value = stored_value(schema, structure, path)?;
        Some(quote!(let #name = #value;))
    });
    let fields = fields.collect::<Option<TokenStream>>()?;
    let value = expr::value(schema, structure, expr, Access::Locals);
    Some(quote!({ #fields #value }))
}

/// Offset and bytes of a stored field, also within a nested structure, if these never vary.
pub(super) fn place(schema: &Schema, structure: &Structure, path: &[usize]) -> Option<(u32, u32)> {
    let (index, rest) = path.split_first()?;
    let member = structure.members.get(*index)?;
    let MemberKind::Stored(stored) = &member.kind else {
        return None;
    };
    let (offset, bytes) = own_place(member, stored)?;
    if rest.is_empty() {
        return Some((offset, bytes));
    }
    let Type::Structure(nested) = stored.ty else { return None };
    let (within, bytes) = place(schema, schema.structures.get(nested)?, rest)?;
    Some((offset.checked_add(within)?, bytes))
}

fn own_place(member: &Member, stored: &Stored) -> Option<(u32, u32)> {
    let is_fixed = !stored.extent.varies && stored.condition.is_none();
    is_fixed.then_some((member.offset?.same()?, stored.extent.fixed.same()?))
}
