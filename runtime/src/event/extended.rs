//! Extended data items: what follows an event header before the payload.

use crate::context::Context;
use crate::dispatch::Case;
use crate::dynamic::Parsed;
use crate::executor::{Executor, WalkStructure};
use crate::format::roles::ItemRoles;
use crate::format::{EventHeaderExtendedDataItem, ExtendedItem as ItemData};
use crate::layout::LayoutError;
use crate::report::DamageKind;

/// One extended data item.
#[derive(Debug, Clone)]
pub struct ExtendedItem<'a> {
    /// Its header.
    pub header: Parsed<EventHeaderExtendedDataItem>,
    /// Kind of the item, if the schema knows it.
    pub case: Option<&'static Case>,
    /// Its data, without padding.
    pub data: &'a [u8],
    context: Context,
    executor: Executor,
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
    pub fn decode(&self) -> Option<Result<Parsed<ItemData>, LayoutError>> {
        self.case.map(|case| self.executor.item(case, self.data, self.context))
    }
}

/// The extended data items of an event, in their order.
#[derive(Debug, Clone)]
pub struct ExtendedItems<'a> {
    rest: &'a [u8],
    context: Context,
    executor: Executor,
}

impl<'a> ExtendedItems<'a> {
    pub(crate) fn new(items: &'a [u8], context: Context, executor: Executor) -> Self {
        Self {
            rest: items,
            context,
            executor,
        }
    }
}

impl<'a> Iterator for ExtendedItems<'a> {
    type Item = ExtendedItem<'a>;

    fn next(&mut self) -> Option<ExtendedItem<'a>> {
        // Most events have none: that must not cost the making of an error.
        if self.rest.is_empty() {
            return None;
        }
        let (item, size, _) = step(self.rest, self.context, self.executor).ok()?;
        self.rest = self.rest.get(size..).unwrap_or_default();
        Some(item)
    }
}

/// Finds the end of the items: the bytes before it are sound items. The second value says what stopped the walk, if it was not
/// the last item.
pub(crate) fn measure(bytes: &[u8], context: Context, executor: Executor) -> (usize, Option<DamageKind>) {
    let mut at = 0;
    loop {
        match step(bytes.get(at..).unwrap_or_default(), context, executor) {
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
fn step(bytes: &[u8], context: Context, executor: Executor) -> Result<(ExtendedItem<'_>, usize, bool), DamageKind> {
    let left = bytes.len();
    let [_, least] = executor.info(WalkStructure::ItemHeader).min_size;
    let Ok((header, header_size)) = executor.item_header(bytes, context) else {
        return Err(DamageKind::ExtendedItem {
            item_type: 0,
            size: 0,
            least: u64::from(least),
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
            case: executor.select_item(item_type, context),
            data,
            context,
            executor,
        },
        size,
        more,
    ))
}
