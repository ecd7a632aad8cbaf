//! EVENT_HEADER_EXTENDED_DATA_ITEM as it lies in a file: 8 bytes, the data, zeros up to a multiple of eight.

use super::bytes::{Guid, put, round_up_8, utf16};
use super::tracelogging::TlSchema;

/// One extended data item. [`Event`](super::Event) sets the linkage bit of all items but the last.
#[derive(Clone, Debug)]
pub struct Item {
    ext_type: u16,
    data: Vec<u8>,
    item_size: Option<u16>,
    data_size: Option<u16>,
}

impl Item {
    /// An item of any type with any data.
    pub fn new(ext_type: u16, data: impl Into<Vec<u8>>) -> Self {
        Self {
            ext_type,
            data: data.into(),
            item_size: None,
            data_size: None,
        }
    }

    /// RELATED_ACTIVITYID: the activity from which this one was started.
    pub fn related_activity(activity: Guid) -> Self {
        Self::new(0x0001, activity)
    }

    /// SID of the user; build one with [`sid`].
    pub fn sid(sid: Vec<u8>) -> Self {
        Self::new(0x0002, sid)
    }

    /// TS_ID: the terminal session.
    pub fn ts_id(session: u32) -> Self {
        Self::new(0x0003, session.to_le_bytes())
    }

    /// INSTANCE_INFO: instance id, parent's instance id, parent's GUID.
    pub fn instance_info(instance: u32, parent: u32, parent_guid: Guid) -> Self {
        Self::new(
            0x0004,
            [&instance.to_le_bytes()[..], &parent.to_le_bytes(), &parent_guid].concat(),
        )
    }

    /// STACK_TRACE32: match id, then 32-bit return addresses.
    pub fn stack_trace32(match_id: u64, addresses: &[u32]) -> Self {
        let mut data = match_id.to_le_bytes().to_vec();
        data.extend(addresses.iter().flat_map(|address| address.to_le_bytes()));
        Self::new(0x0005, data)
    }

    /// STACK_TRACE64: match id, then 64-bit return addresses.
    pub fn stack_trace64(match_id: u64, addresses: &[u64]) -> Self {
        Self::new(0x0006, words(&[&[match_id], addresses].concat()))
    }

    /// PEBS_INDEX: index into the processor's event-based sampling buffer.
    pub fn pebs_index(index: u64) -> Self {
        Self::new(0x0007, words(&[index]))
    }

    /// PMC_COUNTERS: values of performance counters.
    pub fn pmc_counters(counters: &[u64]) -> Self {
        Self::new(0x0008, words(counters))
    }

    /// PSM_KEY: the key of a packaged application. Its layout is not documented; UTF-16 text is written here.
    pub fn psm_key(key: &str) -> Self {
        Self::new(0x0009, utf16(key))
    }

    /// EVENT_KEY: a number for this event.
    pub fn event_key(key: u64) -> Self {
        Self::new(0x000A, words(&[key]))
    }

    /// EVENT_SCHEMA_TL: the event's TraceLogging metadata.
    pub fn schema_tl(schema: &TlSchema) -> Self {
        Self::new(0x000B, schema.to_bytes())
    }

    /// PROV_TRAITS: total size, provider name, and the provider group (trait type 1) if there is one.
    pub fn prov_traits(provider: &str, group: Option<Guid>) -> Self {
        let mut traits = vec![];
        if let Some(group) = group {
            traits.extend(19_u16.to_le_bytes()); // size of this trait, its own three bytes included
            traits.push(1); // type: provider group GUID
            traits.extend(group);
        }
        let size = 2 + provider.len() + 1 + traits.len();
        let data = [&(size as u16).to_le_bytes()[..], provider.as_bytes(), &[0], &traits].concat();
        Self::new(0x000C, data)
    }

    /// PROCESS_START_KEY: a number that is unique for each process of a boot.
    pub fn process_start_key(key: u64) -> Self {
        Self::new(0x000D, words(&[key]))
    }

    /// CONTROL_GUID: the control GUID of a provider that logs under a decode GUID.
    pub fn control_guid(control: Guid) -> Self {
        Self::new(0x000E, control)
    }

    /// QPC_DELTA: difference of the performance counter of a container from its host's.
    pub fn qpc_delta(delta: i64) -> Self {
        Self::new(0x000F, delta.to_le_bytes())
    }

    /// CONTAINER_ID: the container's id as text without a terminator.
    pub fn container_id(id: &str) -> Self {
        Self::new(0x0010, id)
    }

    /// STACK_KEY32: match id, 32-bit key of a cached stack, padding.
    pub fn stack_key32(match_id: u64, key: u32) -> Self {
        Self::new(0x0011, words(&[match_id, key.into()]))
    }

    /// STACK_KEY64: match id, 64-bit key of a cached stack.
    pub fn stack_key64(match_id: u64, key: u64) -> Self {
        Self::new(0x0012, words(&[match_id, key]))
    }

    /// Damage: writes another item size (Reserved1) than the right one.
    pub fn with_item_size(mut self, size: u16) -> Self {
        self.item_size = Some(size);
        self
    }

    /// Damage: writes another DataSize than the right one.
    pub fn with_data_size(mut self, size: u16) -> Self {
        self.data_size = Some(size);
        self
    }

    /// The item's bytes; `more` says that another item follows.
    pub(crate) fn to_bytes(&self, more: bool) -> Vec<u8> {
        let data_size = self.data.len();
        let size = round_up_8(8 + data_size);
        let mut item = vec![0; size];
        put(&mut item, 0, self.item_size.unwrap_or(size as u16).to_le_bytes()); // Reserved1: size of the item with padding
        put(&mut item, 2, self.ext_type.to_le_bytes()); // ExtType
        put(&mut item, 4, u16::from(more).to_le_bytes()); // Linkage, bit 0
        put(&mut item, 6, self.data_size.unwrap_or(data_size as u16).to_le_bytes()); // DataSize
        item[8..8 + data_size].copy_from_slice(&self.data);
        item
    }
}

/// A security identifier: revision 1, the number of sub-authorities, a 48-bit big-endian authority, the sub-authorities.
pub fn sid(authority: u64, sub_authorities: &[u32]) -> Vec<u8> {
    let mut sid = vec![1, sub_authorities.len() as u8];
    sid.extend(&authority.to_be_bytes()[2..]);
    sid.extend(sub_authorities.iter().flat_map(|sub_authority| sub_authority.to_le_bytes()));
    sid
}

fn words(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
