//! Extended data items: what follows an event header before the payload.

use crate::context::Context;
use crate::dispatch::Case;
use crate::format::roles::ItemRoles;
use crate::format::{EventHeaderExtendedDataItem, ExtendedItem as ItemData};
use crate::layout::{Layout, LayoutError};
use crate::report::DamageKind;

/// One extended data item.
#[derive(Debug, Clone)]
pub struct ExtendedItem<'a> {
    /// Its header.
    pub header: EventHeaderExtendedDataItem,
    /// Kind of the item, if the schema knows it.
    pub case: Option<&'static Case>,
    /// Its data, without padding.
    pub data: &'a [u8],
    context: Context,
}

impl ExtendedItem<'_> {
    /// Number of the item's type.
    pub fn item_type(&self) -> u64 {
        self.header.item_type().unwrap_or(0)
    }

    /// Microsoft's name of the type, if the schema knows it.
    pub fn type_name(&self) -> Option<&'static str> {
        self.case.map(|case| case.name)
    }

    /// The decoded data; `None` if the type is not known.
    pub fn decode(&self) -> Option<Result<ItemData, LayoutError>> {
        self.case
            .map(|case| ItemData::read(case, self.data, self.context).map(|(data, _)| data))
    }
}

/// The extended data items of an event, in their order.
#[derive(Debug, Clone)]
pub struct ExtendedItems<'a> {
    rest: &'a [u8],
    context: Context,
}

impl<'a> ExtendedItems<'a> {
    pub(crate) fn new(items: &'a [u8], context: Context) -> Self {
        Self { rest: items, context }
    }
}

impl<'a> Iterator for ExtendedItems<'a> {
    type Item = ExtendedItem<'a>;

    fn next(&mut self) -> Option<ExtendedItem<'a>> {
        // Most events have none: that must not cost the making of an error.
        if self.rest.is_empty() {
            return None;
        }
        let (item, size, _) = step(self.rest, self.context).ok()?;
        self.rest = self.rest.get(size..).unwrap_or_default();
        Some(item)
    }
}

/// Finds the end of the items: the bytes before it are sound items. The second value says what stopped the walk, if it was not
/// the last item.
pub(crate) fn measure(bytes: &[u8], context: Context) -> (usize, Option<DamageKind>) {
    let mut at = 0;
    loop {
        match step(bytes.get(at..).unwrap_or_default(), context) {
            Ok((_, size, more)) => {
                at += size;
                if !more {
                    return (at, None);
                }
            }
            Err(problem) => return (at, Some(problem)),
        }
    }
}

/// Reads the item at the start of `bytes`; gives it with its size and whether another follows.
fn step(bytes: &[u8], context: Context) -> Result<(ExtendedItem<'_>, usize, bool), DamageKind> {
    let left = bytes.len();
    let least = EventHeaderExtendedDataItem::SIZE;
    let Ok((header, header_size)) = EventHeaderExtendedDataItem::read_prefix(bytes, context) else {
        return Err(DamageKind::ExtendedItem {
            item_type: 0,
            size: 0,
            least: least as u64,
            left,
        });
    };
    let item_type = header.item_type().unwrap_or(0);
    let size = header.item_size().unwrap_or(0);
    let data_size = header.item_data_size().unwrap_or(0);
    let used = header_size as u64 + data_size;
    let item = usize::try_from(size).ok().filter(|item| *item <= left && size >= used);
    let (Some(size), Some(data)) = (item, bytes.get(header_size..used as usize)) else {
        return Err(DamageKind::ExtendedItem {
            item_type,
            size,
            least: used,
            left,
        });
    };
    let more = header.item_has_next().is_some_and(|value| value != 0);
    Ok((
        ExtendedItem {
            header,
            case: ItemData::select(item_type, context),
            data,
            context,
        },
        size,
        more,
    ))
}
