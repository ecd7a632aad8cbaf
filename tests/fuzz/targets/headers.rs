//! Each kind of event header, whatever the bytes say that they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl::format::TraceHeader;
use winetl::{Context, EventRoles as _};

fuzz_target!(|bytes: &[u8]| {
    for pointer_size in [4, 8] {
        let context = Context {
            pointer_size,
            ..Context::default()
        };
        TraceHeader::select(bytes, context);
        for case in &TraceHeader::CASES {
            TraceHeader::peek(case, bytes, context);
            let Ok((header, size)) = TraceHeader::read(case, bytes, context) else {
                continue;
            };
            assert!(size <= bytes.len());
            let _ = (
                header.provider_id(),
                header.process_id(),
                header.thread_id(),
                header.event_id(),
                header.hook_id(),
            );
        }
    }
});
