//! Both executors, generated parsers and interpreter, must read the same of any bytes: as a trace, a structure, a payload.
#![no_main]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a finding is a panic")]

use libfuzzer_sys::fuzz_target;

#[path = "../../common/mod.rs"]
mod common;
#[path = "../../common/executors.rs"]
mod same;

fuzz_target!(|bytes: &[u8]| same::same_input(bytes, same::interpreter("../..")));
