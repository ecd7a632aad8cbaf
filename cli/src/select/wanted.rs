//! The values of the options that go by what a header says, or by names.

use std::str::FromStr;

use winetl::dispatch::EventInfo;
use winetl::format::{EventHeaderExtType, WineventLevel};
use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::table::OpenEnum as _;
use winetl::{Event, EventRoles as _, Guid};

use super::named::Named;
use super::numbers::{self, Numbers};
use super::pattern::Pattern;

/// A provider: name, wildcards or GUID.
#[derive(Debug, Clone)]
pub(crate) enum ProviderIs {
    Guid(Guid),
    Name(Pattern),
}

impl ProviderIs {
    /// Whether the GUID alone tells that the provider is meant.
    pub(super) fn by_guid(&self, provider: Option<Guid>) -> bool {
        let Some(provider) = provider else { return false };
        match self {
            Self::Guid(guid) => *guid == provider,
            Self::Name(pattern) => pattern.has_wildcards() && pattern.matches(provider.encode(&mut [0; 36])),
        }
    }

    pub(super) fn matches(&self, provider: Option<Guid>, name: Option<&str>) -> bool {
        let named = |pattern: &Pattern| name.is_some_and(|name| pattern.matches(name));
        self.by_guid(provider) || matches!(self, Self::Name(pattern) if named(pattern))
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Guid(guid) => guid.to_string(),
            Self::Name(pattern) => pattern.text().to_owned(),
        }
    }
}

impl FromStr for ProviderIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(guid) => Ok(Self::Guid(guid)),
            // No name looks so nearly like a GUID.
            Err(error) if is_nearly_a_guid(text) => Err(format!("{error}; or expected the name of a provider")),
            Err(_) => text.parse().map(Self::Name),
        }
    }
}

/// Whether a text has the hyphens of a GUID and hardly any other characters than its digits.
fn is_nearly_a_guid(text: &str) -> bool {
    let inner = text.trim_matches(['{', '}']);
    let others = |c: &char| !c.is_ascii_hexdigit() && *c != '-';
    let wildcards = inner.contains(['*', '?', '[', '{']);
    !wildcards && inner.len() > 24 && inner.matches('-').count() == 4 && inner.chars().filter(others).count() <= 2
}

/// An event: hook id or name.
#[derive(Debug, Clone)]
pub(crate) enum EventIs {
    Hook(u64),
    Name(Pattern),
}

impl EventIs {
    /// Whether exactly this event of the schema is meant.
    pub(crate) fn is_exactly(&self, event: &EventInfo) -> bool {
        match self {
            Self::Hook(hook_id) => event.hook_id.map(u64::from) == Some(*hook_id),
            Self::Name(pattern) => !pattern.has_wildcards() && pattern.matches(event.name),
        }
    }

    pub(super) fn by_hook_id(&self, hook_id: Option<u64>) -> bool {
        matches!(self, Self::Hook(wanted) if hook_id == Some(*wanted))
    }
}

impl FromStr for EventIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.starts_with("0x") && !text.starts_with("0X") {
            return text.parse().map(Self::Name);
        }
        match numbers::number(text) {
            Some(hook_id) if hook_id <= u64::from(u16::MAX) => Ok(Self::Hook(hook_id)),
            _ => Err("expected a hook id from 0x0000 to 0xffff, such as 0x0f2e, or a name such as Process/Start".to_owned()),
        }
    }
}

/// Opcodes: numbers or a name.
#[derive(Debug, Clone)]
pub(crate) enum OpcodeIs {
    Numbers(Numbers),
    Name(Pattern),
}

impl OpcodeIs {
    pub(super) fn by_number(&self, opcode: Option<u64>) -> bool {
        matches!(self, Self::Numbers(numbers) if opcode.is_some_and(|opcode| numbers.contains(opcode)))
    }

    /// By the name of the opcode, or of the event's type: what follows its class.
    pub(super) fn by_name(&self, named: &Named<'_>) -> bool {
        let Self::Name(pattern) = self else { return false };
        let known = named.known.and_then(|name| name.rsplit_once('/')).map(|(_, kind)| kind);
        let names = [named.names.as_ref().and_then(|names| names.opcode), known];
        names.into_iter().flatten().any(|name| pattern.matches(name))
    }
}

impl FromStr for OpcodeIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if numbers::is_numeric(text) {
            text.parse().map(Self::Numbers)
        } else {
            text.parse().map(Self::Name)
        }
    }
}

/// A level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LevelIs {
    /// This or a more severe one, which has a lower number; from 1, since 0 is none.
    AtMost(u64),
    Exactly(Numbers),
}

impl LevelIs {
    pub(super) fn matches(&self, level: u64) -> bool {
        match self {
            Self::AtMost(most) => (1..=*most).contains(&level),
            Self::Exactly(numbers) => numbers.contains(level),
        }
    }
}

/// Letters by which a level is known.
const SHORTEST: usize = 3;

impl FromStr for LevelIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match numbers::number(text) {
            Some(0) => return text.parse().map(Self::Exactly),
            Some(number) => return Ok(Self::AtMost(number)),
            None if numbers::is_numeric(text) => return text.parse().map(Self::Exactly),
            None => {}
        }
        // `warn` will do, and manifests say `informational`.
        let text = if text.eq_ignore_ascii_case("informational") {
            "information"
        } else {
            text
        };
        let begins = |label: &str| label.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        let mut levels = WineventLevel::TABLE.entries.iter().filter(|level| level.value != 0);
        let found = levels.find(|level| text.len() >= SHORTEST && begins(level.label_or_name()));
        found.map(|level| Self::AtMost(level.value)).ok_or_else(|| {
            "expected critical, error, warning, information or verbose, a number, or a list such as 2,4-5 for just these levels".to_owned()
        })
    }
}

/// Keywords: bits or a name.
#[derive(Debug, Clone)]
pub(crate) enum KeywordIs {
    Mask(u64),
    Name(Pattern),
}

impl KeywordIs {
    pub(super) fn by_mask(&self, keyword: Option<u64>) -> bool {
        matches!(self, Self::Mask(mask) if keyword.is_some_and(|keyword| keyword & mask != 0))
    }

    pub(super) fn by_name(&self, named: &Named<'_>) -> bool {
        let keywords = named.names.as_ref().map(|names| names.keywords).unwrap_or_default();
        matches!(self, Self::Name(pattern) if keywords.iter().any(|name| pattern.matches(name)))
    }
}

impl FromStr for KeywordIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !numbers::is_numeric(text) {
            return text.parse().map(Self::Name);
        }
        match numbers::number(text) {
            Some(0) => Err("expected a mask with at least one bit, such as 0x10, found 0, which no keyword fits".to_owned()),
            Some(mask) => Ok(Self::Mask(mask)),
            None => Err("expected a mask of 64 bits such as 0x8000000000000010, or the name of a keyword".to_owned()),
        }
    }
}

/// A kind of header, with or without what all names begin with.
#[derive(Debug, Clone)]
pub(crate) struct HeaderIs(Pattern);

/// What the names of all header types begin with.
const PREFIX: &str = "TRACE_HEADER_TYPE_";

impl HeaderIs {
    pub(super) fn matches(&self, name: &str) -> bool {
        self.0.matches(name) || name.strip_prefix(PREFIX).is_some_and(|short| self.0.matches(short))
    }
}

impl FromStr for HeaderIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

/// An activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActivityIs(Guid);

impl ActivityIs {
    pub(super) fn matches(&self, event: &Event<'_>) -> bool {
        if event.header().activity_id() == Some(self.0) {
            return true;
        }
        let kind = EventHeaderExtType::RELATED_ACTIVITYID.number();
        event.extended_items().filter(|item| item.item_type() == kind).any(|item| {
            let mut find = Find {
                guid: self.0,
                found: false,
            };
            if let Some(Ok(data)) = item.decode() {
                data.record().visit(&mut find);
            }
            find.found
        })
    }
}

impl FromStr for ActivityIs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(Self)
            .map_err(|error: winetl::guid::ParseGuidError| error.to_string())
    }
}

/// Looks for a GUID among the fields of an item.
struct Find {
    guid: Guid,
    found: bool,
}

impl FieldVisitor for Find {
    fn field(&mut self, _: &FieldInfo<'_>, value: Value<'_>) {
        self.found |= matches!(value, Value::Guid(guid) if guid == self.guid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        for (text, expected) in [
            ("critical", 1),
            ("ERR", 2),
            ("warn", 3),
            ("Warning", 3),
            ("info", 4),
            ("Informational", 4),
            ("verbose", 5),
            ("3", 3),
            ("0x10", 16),
        ] {
            assert_eq!(text.parse(), Ok(LevelIs::AtMost(expected)), "{text}");
        }
        let fits = |text: &str| {
            let level: LevelIs = text.parse().unwrap();
            (0..8).filter(|number| level.matches(*number)).collect::<Vec<u64>>()
        };
        assert_eq!(fits("warning"), [1, 2, 3]);
        assert_eq!(fits("0"), [0]);
        assert_eq!(fits("0,4-5"), [0, 4, 5]);
        assert_eq!(fits("4-4"), [4]);
        for text in ["", "in", "severe", "warnings", "always", "-1"] {
            let error = text.parse::<LevelIs>().unwrap_err();
            assert!(error.contains("expected critical, error, warning"), "{text}: {error}");
        }
    }

    #[test]
    fn providers() {
        let guid = "9E814AAD-3204-11D2-9A82-006008A86939";
        for text in [guid.to_owned(), format!("{{{}}}", guid.to_lowercase())] {
            assert!(matches!(text.parse(), Ok(ProviderIs::Guid(found)) if Some(found) == guid.parse().ok()));
        }
        assert!(matches!("9e814aad-*".parse::<ProviderIs>().unwrap(), ProviderIs::Name(_)));
        assert!("9e814aad-*".parse::<ProviderIs>().unwrap().by_guid(guid.parse().ok()));
        for text in [
            &guid[..35],
            "9e814aad-3204-11d2-9a82-006008a8693g",
            "{9e814aad-3204-11d2-9a82-006008a86939",
        ] {
            let error = text.parse::<ProviderIs>().unwrap_err();
            assert!(
                error.contains("not a GUID") && error.contains("name of a provider"),
                "{error}"
            );
        }
        assert!("Add-Bed-Dad-Fee-Face-Cafe".parse::<ProviderIs>().is_ok());
    }

    #[test]
    fn errors_say_what_is_expected() {
        let event = |text: &str| text.parse::<EventIs>().unwrap_err();
        assert!(event("0x10000").contains("0xffff") && event("0xg").contains("0x0f2e"));
        let keyword = |text: &str| text.parse::<KeywordIs>().unwrap_err();
        assert!(keyword("0").contains("at least one bit") && keyword("0x10000000000000000").contains("64 bits"));
        assert!("1-".parse::<OpcodeIs>().unwrap_err().contains("expected a number"));
        assert!(
            "5e7d"
                .parse::<ActivityIs>()
                .unwrap_err()
                .contains("not a GUID: expected 36 characters")
        );
    }
}
