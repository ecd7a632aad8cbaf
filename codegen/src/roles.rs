//! Roles: what the runtime and the tools use a field for, whatever its name and place.
//!
//! A role is how hand-written code reads a generated structure. It names the role, never the field, so a field may be
//! renamed or moved in YAML without an edit in Rust. Each [`RoleSet`] becomes one generated trait, and each role one
//! method of it that answers `None` for structures without such a field.

/// What a role's method returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleType {
    /// `u64`: any unsigned integer, enum or flag table.
    Unsigned,
    /// `i64`: any signed integer or time stamp.
    Signed,
    /// A GUID.
    Guid,
    /// Zero-terminated UTF-16 text.
    Text,
}

/// One role.
#[derive(Debug, PartialEq, Eq)]
pub struct Role {
    /// Name, as written after `role:`.
    pub name: &'static str,
    /// Type of the value.
    pub ty: RoleType,
    /// What the value is used for.
    pub doc: &'static str,
    /// Whether the tools also ask for the entry of the value in the table that the field has for its type.
    pub named: bool,
}

/// Roles that belong to one kind of structure.
#[derive(Debug)]
pub struct RoleSet {
    /// Name of the generated trait.
    pub trait_name: &'static str,
    /// What kind of structure has them.
    pub doc: &'static str,
    /// The roles.
    pub roles: &'static [Role],
}

const fn role(name: &'static str, ty: RoleType, doc: &'static str) -> Role {
    Role {
        name,
        ty,
        doc,
        named: false,
    }
}

const fn named(name: &'static str, doc: &'static str) -> Role {
    Role {
        name,
        ty: Unsigned,
        doc,
        named: true,
    }
}

use RoleType::{Guid, Signed, Text, Unsigned};

/// All roles.
pub const ROLE_SETS: &[RoleSet] = &[
    RoleSet {
        trait_name: "EventRoles",
        doc: "Roles of event headers.",
        roles: &[
            role(
                "event_size",
                Unsigned,
                "Bytes of the event: header, extended items and payload, without alignment.",
            ),
            role("event_version", Unsigned, "Version of the event's payload layout."),
            role("hook_id", Unsigned, "Group and type of a kernel event as one number."),
            role("thread_id", Unsigned, "Thread that logged the event."),
            role("process_id", Unsigned, "Process of that thread."),
            role(
                "timestamp",
                Signed,
                "When the event was logged, in ticks of the session's clock.",
            ),
            role(
                "time_delta",
                Unsigned,
                "Ticks since the packet before, in a buffer of compact context switches.",
            ),
            role(
                "old_thread_index",
                Unsigned,
                "Place of a thread in the tables at the start of a buffer of compact context switches.",
            ),
            role("kernel_time", Unsigned, "Kernel-mode time of the thread, in timer ticks."),
            role("user_time", Unsigned, "User-mode time of the thread, in timer ticks."),
            role(
                "provider_id",
                Guid,
                "Provider of the event, or the message GUID of a WPP message.",
            ),
            role("class_id", Guid, "Event class of a classic event."),
            role("event_id", Unsigned, "Number of the event within its provider."),
            role("channel", Unsigned, "Channel the event is meant for."),
            named("level", "Severity or verbosity."),
            named("opcode", "Operation within the task, or type of a classic or kernel event."),
            role("task", Unsigned, "Task within the provider."),
            role("keyword", Unsigned, "Bit mask of categories."),
            role("activity_id", Guid, "Identifier that groups related events."),
            role(
                "has_extended_items",
                Unsigned,
                "Not zero if extended data items follow the header.",
            ),
            role(
                "data_pointer_size",
                Unsigned,
                "Bytes of a pointer in the payload, where the header itself says so; 0 if it does not.",
            ),
            role(
                "message_number",
                Unsigned,
                "Number of a WPP message within its GUID or component.",
            ),
            role("component_id", Unsigned, "Component of a WPP message that has no GUID."),
            role("sequence_number", Unsigned, "Sequence number of a WPP message."),
        ],
    },
    RoleSet {
        trait_name: "BufferRoles",
        doc: "Roles of buffer headers.",
        roles: &[
            role(
                "buffer_size",
                Unsigned,
                "Bytes that the buffer takes in the file: the distance to the next buffer.",
            ),
            role(
                "buffer_filled",
                Unsigned,
                "Bytes of header and events, uncompressed: readers must not go beyond.",
            ),
            role(
                "buffer_saved_offset",
                Unsigned,
                "Older account of the same, used only where the filled size is impossible.",
            ),
            role("buffer_timestamp", Signed, "When the buffer was flushed."),
            role(
                "buffer_sequence_number",
                Signed,
                "Running number of the buffer within the session.",
            ),
            role("buffer_processor", Unsigned, "Processor that the buffer belongs to."),
            role("buffer_logger_id", Unsigned, "Number of the session."),
            role("buffer_state", Unsigned, "State of the buffer."),
            role("buffer_type", Unsigned, "Kind of the buffer."),
            role("buffer_flags", Unsigned, "Flags of the buffer."),
            role("buffer_is_header", Unsigned, "Not zero for the buffer that begins the file."),
            role(
                "buffer_holds_switches",
                Unsigned,
                "Not zero if the buffer holds compact context switches instead of events.",
            ),
            role("buffer_is_compressed", Unsigned, "Not zero if the events are compressed."),
            role(
                "buffer_compression_format",
                Unsigned,
                "Compression format of the file, in the header buffer of a compressed file.",
            ),
        ],
    },
    RoleSet {
        trait_name: "LogfileRoles",
        doc: "Roles of the logfile header.",
        roles: &[
            role(
                "session_buffer_size",
                Unsigned,
                "Bytes of an uncompressed buffer of the session.",
            ),
            role("windows_major", Unsigned, "Major version of Windows."),
            role("windows_minor", Unsigned, "Minor version of Windows."),
            role("windows_build", Unsigned, "Build number of Windows."),
            role("log_version_major", Unsigned, "Major version of the log file format."),
            role("log_version_minor", Unsigned, "Minor version of the log file format."),
            role("processor_count", Unsigned, "Number of processors."),
            role("end_time", Signed, "End of the trace as FILETIME; 0 while unfinished."),
            role("timer_resolution", Unsigned, "Length of a timer tick in 100 ns."),
            role("maximum_file_size", Unsigned, "Size limit of the file; 0 for none."),
            role("log_file_mode", Unsigned, "Logging mode flags."),
            role("buffers_written", Unsigned, "Buffers in the file; 0 while unfinished."),
            role("pointer_size", Unsigned, "Bytes of a pointer on the traced system."),
            role("events_lost", Unsigned, "Events that the session could not record."),
            role("cpu_speed_mhz", Unsigned, "Nominal speed of the processors in MHz."),
            role("time_zone_bias", Signed, "Minutes to add to local time to get UTC."),
            role("time_zone_name", Text, "Name of the time zone."),
            role("boot_time", Signed, "Start of the system as FILETIME."),
            role("clock_frequency", Signed, "Ticks per second of the performance counter."),
            role("start_time", Signed, "Start of the trace as FILETIME."),
            role("clock_type", Unsigned, "Clock of the time stamps."),
            role("buffers_lost", Unsigned, "Buffers that could not be written."),
            role(
                "is_compressed_mode",
                Unsigned,
                "Not zero if the session compresses its buffers.",
            ),
            role(
                "is_per_session_buffering",
                Unsigned,
                "Not zero if buffers belong to the session and not to a processor.",
            ),
            role(
                "is_size_in_kilobytes",
                Unsigned,
                "Not zero if the size limit counts KB instead of MB.",
            ),
            role("session_name", Text, "Name of the session."),
            role("log_file_name", Text, "Path of the file when it was created."),
        ],
    },
    RoleSet {
        trait_name: "ItemRoles",
        doc: "Roles of the header of an extended data item.",
        roles: &[
            role(
                "item_size",
                Unsigned,
                "Bytes of the whole item with padding: the distance to the next.",
            ),
            role("item_type", Unsigned, "Kind of the item."),
            role("item_data_size", Unsigned, "Bytes of the item's data without padding."),
            role("item_has_next", Unsigned, "Not zero if another item follows."),
        ],
    },
];

/// Finds a role by its name.
pub fn find(name: &str) -> Option<(&'static RoleSet, &'static Role)> {
    ROLE_SETS
        .iter()
        .find_map(|set| set.roles.iter().find(|role| role.name == name).map(|role| (set, role)))
}
