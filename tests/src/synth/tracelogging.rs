//! The metadata of a TraceLogging event: EVENT_SCHEMA_TL.

/// Event name and fields of a TraceLogging event, in the order of its payload.
#[derive(Clone, Debug)]
pub struct TlSchema {
    tags: Vec<u8>,
    name: String,
    fields: Vec<u8>,
}

impl TlSchema {
    /// UTF-16 text with a terminator.
    pub const UTF16_Z: u8 = 1;
    /// 8-bit text with a terminator.
    pub const ANSI_Z: u8 = 2;
    /// Unsigned 8-bit number.
    pub const U8: u8 = 4;
    /// Signed 32-bit number.
    pub const I32: u8 = 7;
    /// Unsigned 32-bit number.
    pub const U32: u8 = 8;
    /// Unsigned 64-bit number.
    pub const U64: u8 = 10;
    /// Double.
    pub const F64: u8 = 12;
    /// 32-bit truth value.
    pub const BOOL32: u8 = 13;
    /// FILETIME.
    pub const FILETIME: u8 = 17;
    /// A structure; its out type is the number of fields that belong to it.
    pub const STRUCT: u8 = 24;

    /// An event without tags and fields.
    pub fn new(name: &str) -> Self {
        Self {
            tags: vec![0],
            name: name.into(),
            fields: vec![],
        }
    }

    /// Sets the event's tag bytes: seven bits each, bit 7 in all but the last.
    pub fn tags(mut self, tags: &[u8]) -> Self {
        self.tags = tags.to_vec();
        self
    }

    /// Adds a scalar field.
    pub fn field(self, name: &str, in_type: u8) -> Self {
        self.raw(name, &[in_type])
    }

    /// Adds a scalar field with an out type.
    pub fn field_out(self, name: &str, in_type: u8, out_type: u8) -> Self {
        self.raw(name, &[in_type | 0x80, out_type])
    }

    /// Adds a field with an out type and one tag byte.
    pub fn field_tagged(self, name: &str, in_type: u8, out_type: u8, tag: u8) -> Self {
        self.raw(name, &[in_type | 0x80, out_type | 0x80, tag])
    }

    /// Adds an array of `count` values.
    pub fn array(self, name: &str, in_type: u8, count: u16) -> Self {
        let [low, high] = count.to_le_bytes();
        self.raw(name, &[in_type | 0x20, low, high])
    }

    /// Adds an array whose number of values is a u16 in the payload.
    pub fn counted_array(self, name: &str, in_type: u8) -> Self {
        self.raw(name, &[in_type | 0x40])
    }

    /// Adds a structure of the next `fields` fields.
    pub fn structure(self, name: &str, fields: u8) -> Self {
        self.field_out(name, Self::STRUCT, fields)
    }

    fn raw(mut self, name: &str, after_name: &[u8]) -> Self {
        self.fields.extend(name.as_bytes());
        self.fields.push(0);
        self.fields.extend(after_name);
        self
    }

    /// The metadata: u16 total size, tags, name with terminator, fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = 2 + self.tags.len() + self.name.len() + 1 + self.fields.len();
        [
            &(size as u16).to_le_bytes()[..],
            &self.tags,
            self.name.as_bytes(),
            &[0],
            &self.fields,
        ]
        .concat()
    }
}
