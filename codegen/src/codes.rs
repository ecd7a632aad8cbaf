//! The numbers of all diagnostics and what each means.

use std::fmt;

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($name:ident = $text:literal: $title:literal, $meaning:literal;)*) => {
        /// Number of a kind of problem. `E` stops the build, `W` does not.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The number, such as `E203`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The problem in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// What the rule is and why it is there.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    Unreadable = "E001": "file or folder cannot be read", "The schema folder or one of its files could not be opened, or is not UTF-8 text.";
    NoSchema = "E002": "no schema files", "The folder holds no .yaml file, so there is nothing to generate.";
    Syntax = "E100": "not valid YAML", "The text is not YAML: look for a missing quote, bracket or blank after a colon, or a tab used to indent.";
    UnknownKey = "E101": "unknown key", "Only the keys of the schema language may be used, so that a misspelt key is not ignored in silence.";
    MissingKey = "E102": "missing key", "A key that this node cannot do without is not there.";
    WrongShape = "E103": "wrong kind of value", "The value has another kind than the key takes: text for a number, a list for a map, or an unknown word. Or a key is given twice.";
    MissingOffset = "E201": "field without an offset", "Every field at a fixed place states its offset, so that one wrong size cannot shift the rest unseen.";
    NeedlessOffset = "E202": "offset after a part that varies", "Behind a field whose size varies no fixed offset exists.";
    Overlap = "E203": "fields overlap", "A field starts before the one above it ends. Fields that share bytes on purpose are marked `overlay: true`.";
    Gap = "E204": "undeclared gap", "Bytes between two fields are not described. Padding is written as a hidden field.";
    SizeMismatch = "E205": "size does not fit the fields", "The stated size of the structure differs from the end of its last field, for 32-bit or 64-bit data.";
    SizeStatement = "E206": "size not stated", "A structure states `size` if it never varies, else `min_size` for the part that is always there.";
    Overlay = "E207": "overlay does not cover whole fields", "An overlay reads whole unsigned integer fields that stand before it, from its offset to its end.";
    BitRange = "E208": "bit range outside its field", "A bit range lies within an unsigned integer field, first bit not above last, and does not overlap another.";
    Length = "E209": "length missing or misplaced", "`bytes`, `utf16` and `ansi` need a `size`; other types take none; `count` makes an array of numbers, GUIDs or structures.";
    Rest = "E210": "nothing can follow the rest", "A field that takes the rest of the record must be the last one.";
    Cycle = "E211": "structure contains itself", "A structure that contains itself has no size.";
    Expect = "E212": "expected value wider than its field", "The value in `expect` cannot be stored in the field.";
    UnknownType = "E301": "unknown type", "The type is neither a built-in one nor the name of a structure, enum or flag table.";
    DuplicateName = "E302": "name used twice", "Structures, tables, dispatches, values, bits and providers are unique over all files; fields within their structure.";
    DuplicateValue = "E303": "value used twice", "Two names of one table have the same value, two providers the same GUID, or two events of a provider the same number, so it could not be said which one to print.";
    NotABit = "E304": "flag is not a single bit", "A flag is a power of two. Bits that form one value together are declared under `groups`.";
    TooWide = "E305": "value wider than its table", "The value cannot be stored in the integer type of the table or selector.";
    UnknownRole = "E306": "unknown role", "A role is one of the table in the guide: it says what the tools use the field for.";
    RoleMismatch = "E307": "role does not fit", "The role needs another type, is used twice in the structure, the structure mixes roles of two kinds, or a mark of a payload (`refers`, `defines`, `lifetime`) stands where it says nothing.";
    WindowsVersion = "E308": "not a Windows version", "Versions are written in quotes as major.minor or major.minor.build: \"6.1\", \"10.0.14393\".";
    VariantOverlap = "E309": "versions of variants overlap", "For each Windows version only one variant of a structure, one version of an event, and one of the fields that share bytes may apply.";
    UnknownStructure = "E310": "unknown structure", "The name is not that of a structure.";
    BadName = "E311": "not a usable name", "Names hold letters, digits and underscores, and begin with a letter.";
    VersionRange = "E312": "empty or needless range of versions", "`since` comes before `until`, and the range of a field lies within that of its structure.";
    VersionHole = "E313": "versions leave a hole", "Between the first and the last Windows version that forms of one thing are said to be of, each version has a form.";
    ExpressionSyntax = "E400": "bad expression", "The text is not an expression of the schema language.";
    UnknownValue = "E401": "unknown name in an expression", "The name is neither a field, a flag or enum value, nor a context value that can be used here.";
    LaterField = "E402": "reference to a later field", "An expression can use only what has been read before it.";
    NotANumber = "E403": "not a number", "Expressions work on unsigned integers, enums and flags.";
    DuplicateCase = "E500": "two structures for one type byte", "Two cases match the same marker and type value, so the second could never be reached.";
    BadCase = "E501": "case cannot be used", "A case names a structure or is an end; a case of event headers leads to a structure with the role `event_size`.";
    MissingDoc = "E600": "missing doc", "Every structure, field, table and provider says what it is.";
    MissingSource = "E601": "missing source", "Every structure, table, dispatch and provider says where its facts come from.";
    UnknownSource = "E602": "unknown source", "The id is not among the sources of the file.";
    VectorBytes = "E700": "bad test vector", "The bytes of a vector are pairs of hex digits, and its context is one that exists.";
    VectorDecode = "E701": "test vector does not decode", "The bytes end before the structure does, or are longer than it.";
    VectorValue = "E702": "test vector decodes to another value", "The bytes say something else than the vector expects. One of bytes, layout and expectation is wrong.";
    Base = "E900": "base cannot be used", "`base` names the schema that a folder changes: `builtin`, or another schema folder, relative to this one. It can be read, lies apart from the overlay, and does not lead back to it.";
    BaseTwice = "E901": "two bases", "An overlay has one base, so one of its files says `base`.";
    NotInBase = "E902": "nothing of this name in the base", "`replaces` and `extends` name a thing of the base, of the same kind.";
    NoBase = "E903": "no base to change", "`replaces` and `extends` stand in a folder with a base; within a thing `replaces` stands only where the thing is extended.";
    ChangedTwice = "E904": "changed twice", "What an overlay replaces it replaces once, and does not extend as well: it could not be said which change comes first.";
    MissingVector = "W800": "no test vector", "Without a vector nothing proves that the layout reads the bytes it was written for.";
}

impl Code {
    /// How bad a problem of this kind is.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    /// Finds a code by its number, in any case.
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str().eq_ignore_ascii_case(text))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
