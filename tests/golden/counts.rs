//! How many events there are of each kind, and hashes over all of them.

use serde_json::{Map, Value as Json, json};

use super::differences::Differences;
use super::walk::Walk;

const GROUPS: &[&str] = &[
    "header_type_counts",
    "markers",
    "hookids",
    "classic_guids",
    "providers",
    "message_guids",
    "message_flags",
    "event_header_flags",
    "event_header_properties",
    "ext_types",
    "ext_sizes",
    "ext_reserved1",
    "ext_reserved2",
    "in_buffer_order",
];

pub(crate) fn compare(differences: &mut Differences, golden: &Json, walk: &Walk) {
    differences.same("total_events", &golden["total_events"], walk.total);
    differences.same("events_sha256", &golden["events_sha256"], walk.events_sha256.as_str());
    differences.same("payload_sha256", &golden["payload_sha256"], walk.payload_sha256.as_str());
    for group in GROUPS {
        let found: Map<_, _> = walk
            .counts
            .get(*group)
            .into_iter()
            .flatten()
            .map(|(name, count)| (name.clone(), json!(count)))
            .collect();
        differences.same_object(group, &golden[*group], found, &[]);
    }
}
