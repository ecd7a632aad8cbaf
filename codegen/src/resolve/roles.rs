//! Roles: that each fits its field, and that those of a structure fit together.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Structure, Type};
use crate::names::closest;
use crate::roles::{self, Role, RoleType};

impl Resolver<'_> {
    /// The role of a field of the type `ty`; an unknown or unfit one is reported.
    pub(super) fn role(&mut self, name: Option<&String>, ty: &Type, array: bool, place: &Place) -> Option<&'static Role> {
        let name = name?;
        let Some((_, role)) = roles::find(name) else {
            let known = roles::ROLE_SETS.iter().flat_map(|set| set.roles).map(|role| role.name);
            let help = match closest(name, known) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => "see the table of roles in schema/FORMAT.md".to_owned(),
            };
            self.report(
                Diagnostic::at(
                    Code::UnknownRole,
                    &place.key("role"),
                    format!("unknown role `{name}`"),
                    "unknown role",
                )
                .help(help),
            );
            return None;
        };
        let fits = !array
            && match role.ty {
                RoleType::Unsigned => *ty == Type::Pointer || self.schema.unsigned_int(ty).is_some(),
                RoleType::Signed => matches!(ty, Type::Filetime | Type::Int(_)),
                RoleType::Guid => *ty == Type::Guid,
                RoleType::Text => matches!(ty, Type::Utf16Z | Type::Utf16(_) | Type::AnsiZ | Type::Utf8Z | Type::Ansi(_)),
            };
        if !fits {
            let wants = match role.ty {
                RoleType::Unsigned => "a single unsigned integer, enum or flag field",
                RoleType::Signed => "a single integer or filetime",
                RoleType::Guid => "a single guid",
                RoleType::Text => "a single text field",
            };
            let has = if array {
                "an array".to_owned()
            } else {
                format!("of type {}", self.schema.type_name(ty))
            };
            self.report(
                Diagnostic::at(
                    Code::RoleMismatch,
                    &place.key("role"),
                    format!("the role `{name}` does not fit this field"),
                    format!("the field is {has}"),
                )
                .help(format!("the role takes {wants}")),
            );
        }
        // An unfit one still counts, so that its absence is not reported as well.
        Some(role)
    }

    /// Checks that the roles of each structure, with those of nested ones, are unique and of one kind.
    pub(super) fn role_sets(&mut self) {
        let schema = std::mem::take(&mut self.schema);
        for structure in &schema.structures {
            let roles = schema.roles_of(structure);
            for (index, (role, path)) in roles.iter().enumerate() {
                let problem = roles.iter().take(index).find_map(|(earlier, earlier_path)| {
                    // Both within one nested structure: reported there.
                    if path.len() > 1 && path.first() == earlier_path.first() {
                        return None;
                    }
                    Some((conflict(earlier, role)?, earlier_path))
                });
                if let Some((message, earlier_path)) = problem {
                    self.report(
                        Diagnostic::at(
                            Code::RoleMismatch,
                            &role_place(structure, path),
                            format!("{message} in {}", structure.name),
                            "conflicts",
                        )
                        .and(&role_place(structure, earlier_path), "with this one")
                        .help("keep one of them"),
                    );
                    break;
                }
            }
        }
        self.schema = schema;
    }
}

/// Why two roles can't be in one structure.
fn conflict(earlier: &Role, role: &Role) -> Option<String> {
    if earlier.name == role.name {
        return Some(format!("the role `{}` is used twice", role.name));
    }
    let (set, _) = roles::find(role.name)?;
    let (earlier_set, _) = roles::find(earlier.name)?;
    (set.trait_name != earlier_set.trait_name).then(|| {
        format!(
            "the roles `{}` and `{}` belong to different kinds of structures, but are both used",
            earlier.name, role.name
        )
    })
}

/// Where a role comes from: its own key, or the type of the field whose structure has it.
fn role_place(structure: &Structure, path: &[usize]) -> Place {
    let member = path.first().and_then(|index| structure.members.get(*index));
    let place = member.map_or_else(|| structure.place.clone(), |member| member.place.clone());
    place.key(if path.len() > 1 { "type" } else { "role" })
}
