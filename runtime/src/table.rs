//! Enum and flag tables: values read from a file are kept whether or not they have a name.

/// What the schema says of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// Microsoft's name, or the common prefix of the names.
    pub name: &'static str,
    /// What the values say.
    pub doc: &'static str,
    /// The values, or single bits.
    pub entries: &'static [NamedValue],
    /// Bits that form one value together.
    pub groups: &'static [NamedValue],
}

impl TableInfo {
    /// The entry of a value, if it has one.
    pub fn entry(&'static self, value: u64) -> Option<&'static NamedValue> {
        self.entries.iter().find(|entry| entry.value == value)
    }

    /// The entries whose bits are set in `value`.
    pub fn set_bits(&'static self, value: u64) -> impl Iterator<Item = &'static NamedValue> {
        self.entries.iter().filter(move |entry| value & entry.value != 0)
    }
}

/// A named value or bit.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The value or mask.
    pub value: u64,
    /// Microsoft's name.
    pub name: &'static str,
    /// Short words for people; empty for none.
    pub label: &'static str,
    /// Meaning; empty for none.
    pub doc: &'static str,
}

impl NamedValue {
    /// The label, or the name where there is none.
    pub fn label_or_name(&self) -> &'static str {
        if self.label.is_empty() { self.name } else { self.label }
    }
}

/// A value table: a newtype over an integer.
pub trait OpenEnum: Copy {
    /// Names and docs.
    const TABLE: &'static TableInfo;

    /// The number.
    fn number(self) -> u64;

    /// The entry of the value, if it has one.
    fn entry(self) -> Option<&'static NamedValue>;

    /// Microsoft's name of the value, if it has one.
    fn name(self) -> Option<&'static str> {
        self.entry().map(|entry| entry.name)
    }
}

/// A flag table: a set of bits.
pub trait FlagSet: Copy {
    /// Names and docs.
    const TABLE: &'static TableInfo;

    /// The bits as a number, unknown ones too.
    fn number(self) -> u64;
}

macro_rules! open_enum {
    ($name:ident, $int:ty) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match OpenEnum::name(*self) {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}({})", stringify!($name), self.0),
                }
            }
        }

        impl AsValue for $name {
            #[inline]
            fn as_value(&self) -> Value<'_> {
                Value::Enum(u64::from(self.0), self.entry())
            }
        }

        scalar_layout!($name, $int, Self, |value: &$name| value.0);
    };
}

macro_rules! flag_set {
    ($name:ident, $int:ty) => {
        impl AsValue for $name {
            #[inline]
            fn as_value(&self) -> Value<'_> {
                Value::Flags(u64::from(self.bits()), Self::TABLE)
            }
        }

        scalar_layout!($name, $int, Self::from_bits_retain, |value: &$name| value.bits());
    };
}

macro_rules! scalar_layout {
    ($name:ident, $int:ty, $from:expr, $to:expr) => {
        impl Number for $name {
            #[inline]
            fn number(&self) -> u64 {
                u64::from(($to)(self))
            }
        }

        impl BinRead for $name {
            type Args<'a> = ();

            #[inline]
            fn read_options<R: binrw::io::Read + binrw::io::Seek>(
                reader: &mut R,
                endian: binrw::Endian,
                _: (),
            ) -> binrw::BinResult<Self> {
                <$int>::read_options(reader, endian, ()).map($from)
            }
        }

        impl BinWrite for $name {
            type Args<'a> = ();

            fn write_options<W: binrw::io::Write + binrw::io::Seek>(
                &self,
                writer: &mut W,
                endian: binrw::Endian,
                _: (),
            ) -> binrw::BinResult<()> {
                ($to)(self).write_options(writer, endian, ())
            }
        }
    };
}

pub(crate) use {flag_set, open_enum, scalar_layout};
