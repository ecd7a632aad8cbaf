//! The start of a buffer of compact context switches: what its packets count from and refer to.

use crate::context::Context;
use crate::format::PerfinfoCcswapBuffer;
use crate::layout::{Layout, LayoutError};

/// Bytes before the first packet.
pub(crate) const SWITCH_HEAD_SIZE: usize = PerfinfoCcswapBuffer::SIZE;

/// The tables of a buffer of compact context switches.
#[derive(Debug, Clone)]
pub(crate) struct SwitchTables {
    first_time: i64,
    /// What each thread's packets are shown with, as the payload of the event that the schema describes.
    threads: Vec<Vec<u8>>,
}

impl SwitchTables {
    /// Reads them from the start of a buffer's area.
    pub(crate) fn read(area: &[u8], context: Context) -> Result<Self, LayoutError> {
        let (head, _) = PerfinfoCcswapBuffer::read_prefix(area, context)?;
        let threads = head.tid_table.iter().zip(&head.thread_base_priority);
        Ok(Self {
            first_time: head.first_time_stamp,
            threads: threads
                .map(|(id, priority)| id.to_le_bytes().into_iter().chain(priority.to_le_bytes()).collect())
                .collect(),
        })
    }

    /// The time that the first packet counts from.
    pub(crate) fn first_time(&self) -> i64 {
        self.first_time
    }

    /// What is known of the thread at a place of the tables; nothing if no thread is named.
    pub(crate) fn thread(&self, index: Option<u64>) -> &[u8] {
        let index = index.and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.threads.get(index)).map_or(&[], Vec::as_slice)
    }
}
