//! Role traits, and their implementations for structures.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc_lines, expr, ident};
use crate::model::{Member, MemberKind, Schema, Stored, Structure, TableKind, Type};
use crate::roles::{ROLE_SETS, Role, RoleSet, RoleType, find};

/// One trait for each role set.
pub(super) fn traits() -> TokenStream {
    ROLE_SETS
        .iter()
        .map(|set| {
            let name = ident(set.trait_name);
            let docs = doc_lines([set.doc, "A method answers `None` where the structure has no such field."]);
            let methods = set.roles.iter().map(|role| {
                let (docs, name, ty) = (doc_lines([role.doc]), ident(role.name), result(role.ty));
                let entry = role.named.then(|| {
                    let (docs, name) = (doc_lines([entry_doc(role).as_str()]), entry_name(role));
                    quote!(#docs fn #name(&self) -> Option<&'static NamedValue> { None })
                });
                quote!(#docs fn #name(&self) -> Option<#ty> { None } #entry)
            });
            let interpreted = set.roles.iter().map(|role| {
                let (name, ty, text) = (ident(role.name), result(role.ty), role.name);
                let find = match role.ty {
                    RoleType::Unsigned => quote!(unsigned_role),
                    RoleType::Signed => quote!(signed_role),
                    RoleType::Guid => quote!(guid_role),
                    RoleType::Text => quote!(text_role),
                };
                let entry = role.named.then(|| {
                    let name = entry_name(role);
                    quote!(fn #name(&self) -> Option<&'static NamedValue> { self.entry_role(#text) })
                });
                quote!(fn #name(&self) -> Option<#ty> { self.#find(#text) } #entry)
            });
            let either = set.roles.iter().map(|role| {
                let (method, ty) = (ident(role.name), result(role.ty));
                let forward = |method: &proc_macro2::Ident, ty: &TokenStream| {
                    quote! {
                        fn #method(&self) -> Option<#ty> {
                            match self { Self::Generated(record) => #name::#method(record), Self::Interpreted(record) => #name::#method(record) }
                        }
                    }
                };
                let entry = role.named.then(|| forward(&entry_name(role), &quote!(&'static NamedValue)));
                let value = forward(&method, &ty);
                quote!(#value #entry)
            });
            quote! {
                #docs
                pub trait #name { #(#methods)* }
                impl #name for DynamicRecord { #(#interpreted)* }
                impl<T: #name> #name for Parsed<T> { #(#either)* }
            }
        })
        .collect()
}

/// The implementation of a structure's role trait, if it has roles.
pub(super) fn implementation(schema: &Schema, structure: &Structure) -> TokenStream {
    let roles = schema.roles_of(structure);
    let Some(set) = roles.first().and_then(|(role, _)| find(role.name)).map(|(set, _)| set) else {
        return TokenStream::new();
    };
    let (name, set) = (ident(&structure.rust_name), ident(set.trait_name));
    let methods = roles.iter().filter_map(|(role, path)| {
        let member = schema.member(structure, path)?;
        let (name, ty) = (ident(role.name), result(role.ty));
        let value = access(schema, structure, path, member, role);
        let entry = (role.named && is_enum(schema, member)).then(|| {
            let (name, field) = (
                entry_name(role),
                expr::field(schema, structure, path, expr::Access::SelfFields),
            );
            quote!(fn #name(&self) -> Option<&'static NamedValue> { OpenEnum::entry(#field) })
        });
        Some(quote!(fn #name(&self) -> Option<#ty> { #value } #entry))
    });
    quote!(impl #set for #name { #(#methods)* })
}

/// Methods of a dispatch's role trait that pass the question on to the structure that was read.
///
/// The calls name the trait: a structure may have a computed value of the same name.
pub(super) fn forwarding(set: &RoleSet, variants: &[proc_macro2::Ident]) -> TokenStream {
    let set_name = ident(set.trait_name);
    set.roles
        .iter()
        .map(|role| {
            let (name, ty) = (ident(role.name), result(role.ty));
            let entry = role.named.then(|| {
                let name = entry_name(role);
                quote! {
                    fn #name(&self) -> Option<&'static NamedValue> {
                        match self { #(Self::#variants(header) => #set_name::#name(header),)* }
                    }
                }
            });
            quote! {
                fn #name(&self) -> Option<#ty> { match self { #(Self::#variants(header) => #set_name::#name(header),)* } }
                #entry
            }
        })
        .collect()
}

/// Name of the method for the entry of a role's value.
fn entry_name(role: &Role) -> proc_macro2::Ident {
    ident(&format!("{}_entry", role.name))
}

fn entry_doc(role: &Role) -> String {
    format!(
        "Entry of the `{}` in its table; `None` also where the table does not name it.",
        role.name
    )
}

/// Whether the field is always there and a value of an enum table.
fn is_enum(schema: &Schema, member: &Member) -> bool {
    let MemberKind::Stored(stored) = &member.kind else {
        return false;
    };
    let Type::Table(index) = stored.ty else { return false };
    stored.condition.is_none() && schema.tables.get(index).is_some_and(|table| table.kind == TableKind::Enum)
}

fn access(schema: &Schema, structure: &Structure, path: &[usize], member: &Member, role: &Role) -> TokenStream {
    let field = expr::field(schema, structure, path, expr::Access::SelfFields);
    let computed = matches!(member.kind, MemberKind::Computed(_));
    let place = if computed { quote!(#field()) } else { field };
    let optional = matches!(&member.kind, MemberKind::Stored(stored) if stored.condition.is_some());
    let of = |value: TokenStream| match role.ty {
        RoleType::Unsigned => quote!(Number::number(&#value)),
        RoleType::Signed if matches!(&member.kind, MemberKind::Stored(Stored { ty: Type::Filetime, .. })) => quote!(#value.0),
        RoleType::Signed if matches!(&member.kind, MemberKind::Stored(Stored { ty: Type::Int(int), .. }) if int.bytes == 8 && int.signed) => {
            value
        }
        RoleType::Signed => quote!(#value as i64),
        RoleType::Guid => value,
        RoleType::Text => quote!(#value.to_text()),
    };
    if optional {
        match role.ty {
            RoleType::Unsigned => quote!(#place.as_ref().map(Number::number)),
            RoleType::Text => quote!(#place.as_ref().map(|value| value.to_text())),
            RoleType::Guid => place,
            RoleType::Signed => {
                let value = of(quote!(value));
                if value.to_string() == "value" {
                    place
                } else {
                    quote!(#place.map(|value| #value))
                }
            }
        }
    } else {
        let value = of(place);
        quote!(Some(#value))
    }
}

fn result(ty: RoleType) -> TokenStream {
    match ty {
        RoleType::Unsigned => quote!(u64),
        RoleType::Signed => quote!(i64),
        RoleType::Guid => quote!(Guid),
        RoleType::Text => quote!(String),
    }
}
