//! The ETL format: structures, flags, values and dispatches, generated from the YAML files in `schema/`.
//!
//! Each type carries Microsoft's name as a doc alias, its size, the offsets of its fields, and where the layout is known from.
//! The same facts as one page are in `schema/FORMAT.md`. To change a layout, edit the YAML and rebuild.

#![allow(missing_docs, reason = "values of a table may have no more to say than their name")]
#![allow(unused_parens, reason = "generated expressions keep the grouping of the schema")]
#![allow(
    clippy::large_enum_variant,
    reason = "events are read one at a time, and a box for each would cost more"
)]

include!(concat!(env!("OUT_DIR"), "/format.rs"));
