//! Synthetic Event Trace Log files for the tests of this workspace.
//!
//! [`synth`] writes traces from literal offsets. It depends on no other crate of the workspace and on nothing generated from
//! the schemas: a layout that is wrong there shows up as a difference here instead of cancelling out.
//! [`samples`] is the list of the files in `tests/samples/`; the program `write_samples` writes and checks them.

pub mod samples;
pub mod shared;
pub mod synth;
pub mod xpress;
