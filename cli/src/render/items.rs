//! The extended data items of an event.

use winetl::format::{
    EventExtendedItemInstance, EventExtendedItemRelatedActivityid, EventExtendedItemSid, EventExtendedItemTsId,
    ExtendedItem as Data, TraceHeader,
};
use winetl::{Event, ExtendedItem, Guid, Layout};

use super::hex::HexBytes;
use super::json::{Json, Object, entry, push_list};
use super::value::JsonBareRecord;

/// The items as a list of objects.
pub(crate) struct Items<'a>(pub(crate) &'a Event<'a>);

impl Json for Items<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        push_list(out, |element| {
            for item in self.0.extended_items() {
                element(&Item(&item));
            }
        });
    }
}

struct Item<'a>(&'a ExtendedItem<'a>);

impl Json for Item<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut item = Object::begin(out);
        match self.0.type_name() {
            Some(name) => entry!(item, "type", name),
            None => entry!(item, "type", &self.0.item_type()),
        }
        match self.0.decode() {
            Some(Ok(data)) => entry!(item, "value", &JsonBareRecord(data.record())),
            Some(Err(_)) | None => entry!(item, "value", &HexBytes(self.0.data)),
        }
        item.end();
    }
}

/// Whether an item has this structure.
fn is<T: Layout>(item: &ExtendedItem<'_>) -> bool {
    item.case
        .and_then(|case| case.info)
        .is_some_and(|info| info.name == T::INFO.name)
}

/// Whether an item is of a kind that [`Known`] has all of.
pub(crate) fn has_place(item: &ExtendedItem<'_>) -> bool {
    is::<EventExtendedItemRelatedActivityid>(item) || is::<EventExtendedItemSid>(item) || is::<EventExtendedItemTsId>(item)
}

/// What the formats of other tools have a place of their own for.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) related_activity: Option<Guid>,
    /// Security identifier of the user, as text.
    pub(crate) user: Option<String>,
    /// Terminal session.
    pub(crate) session: Option<u32>,
    pub(crate) instance: Option<u32>,
    pub(crate) parent_instance: Option<u32>,
}

impl Known {
    /// From the items of an event, and its header; nothing with an interpreted schema, which gives no structures to match on.
    pub(crate) fn of(event: &Event<'_>) -> Self {
        let mut known = Self::default();
        match event.header().generated() {
            Some(TraceHeader::EventInstanceHeader(header)) => {
                known.instance = Some(header.instance_id);
                known.parent_instance = Some(header.parent_instance_id);
            }
            Some(TraceHeader::EventInstanceGuidHeader(header)) => {
                known.instance = Some(header.instance_id);
                known.parent_instance = Some(header.parent_instance_id);
            }
            _ => {}
        }
        for item in event.extended_items() {
            // Most items are of other kinds, and to decode those would cost more than all the rest.
            if !has_place(&item) && !is::<EventExtendedItemInstance>(&item) {
                continue;
            }
            let Some(Ok(data)) = item.decode() else { continue };
            match data.generated() {
                Some(Data::EventExtendedItemRelatedActivityid(item)) => known.related_activity = Some(item.related_activity_id),
                Some(Data::EventExtendedItemSid(item)) => known.user = Some(item.sid.to_string()),
                Some(Data::EventExtendedItemTsId(item)) => known.session = Some(item.session_id),
                Some(Data::EventExtendedItemInstance(item)) => {
                    known.instance = Some(item.instance_id);
                    known.parent_instance = Some(item.parent_instance_id);
                }
                _ => {}
            }
        }
        known
    }
}
