//! Traces that say themselves what the numbers in their events stand for.

use super::{Sample, event, sample};
use crate::synth::{Buffer, Event, Guid, Item, Payload, Trace, guid, sid};

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "context-processes",
        "A process id that is used again, a process named only by the rundown at the end, one named only by its image",
        processes,
    ),
    sample(
        "context-files-and-keys",
        "File objects and registry keys named before and after their use, addresses that are used again, volumes, disks",
        files_and_keys,
    ),
    sample(
        "context-stacks",
        "Stacks as frames, as keys that are explained later, and in extended items; images that are loaded and unloaded",
        stacks,
    ),
];

const SYSTEM_CONFIG_EX: Guid = guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0");

const REUSED: u32 = 500;
const SERVICE: u32 = 800;
const UNTOLD: u32 = 900;
const THREAD: u32 = 504;

fn kernel(hook: u16, version: u8, microseconds: i64) -> Event {
    Event::system64(hook, version).at(Trace::qpc(microseconds))
}

/// An event whose header has neither process nor thread.
fn bare(hook: u16, version: u8, microseconds: i64, payload: Payload) -> Event {
    Event::perfinfo64(hook, version).at(Trace::qpc(microseconds)).payload(payload)
}

/// Process_V4_TypeGroup1.
fn process(hook: u16, microseconds: i64, id: u32, name: &str) -> Event {
    let payload = Payload::new()
        .u64(0xFFFF_C60F_0000_0000 | u64::from(id))
        .u32(id)
        .u32(SERVICE) // ParentId
        .u32(1)
        .i32(259)
        .u64(0x1000)
        .u32(0)
        .u64(0xFFFF_9A0C_0000_0000)
        .u64(0)
        .bytes(sid(5, &[18]))
        .ansi_z(name)
        .utf16_z(name)
        .utf16_z("")
        .utf16_z("");
    kernel(hook, 4, microseconds).process(SERVICE, 804).payload(payload)
}

/// Image_V2_Load.
fn image(hook: u16, microseconds: i64, process: u32, base: u64, size: u64, path: &str) -> Event {
    let payload = Payload::new()
        .u64(base)
        .u64(size)
        .u32(process)
        .u32(0)
        .u32(0)
        .u32(0)
        .u64(base)
        .bytes([0; 16])
        .utf16_z(path);
    kernel(hook, 2, microseconds).process(process, THREAD).payload(payload)
}

/// Thread_V3_TypeGroup1.
fn thread(hook: u16, microseconds: i64, process: u32, id: u32) -> Event {
    let payload = Payload::new()
        .u32(process)
        .u32(id)
        .bytes([0; 40])
        .u64(0x40_1000) // Win32StartAddr
        .u64(0)
        .u32(0)
        .bytes([8, 5, 2, 0]);
    kernel(hook, 3, microseconds).process(process, id).payload(payload)
}

/// CSwitch_V4.
fn switch(microseconds: i64, new: u32, old: u32) -> Event {
    let payload = Payload::new().u32(new).u32(old).bytes([8, 8, 0, 0, 6, 1, 5, 0]).u32(0).u32(0);
    bare(0x0524, 4, microseconds, payload)
}

fn processes() -> Vec<u8> {
    let by = |microseconds, process| event(1, microseconds).process(process, THREAD);
    Trace::new64()
        .buffer_size(4096)
        .buffer(
            Buffer::new(0, 1)
                .event(process(0x0303, 10, SERVICE, "services.exe"))
                .event(process(0x0301, 100, REUSED, "first.exe"))
                .event(thread(0x0501, 110, REUSED, THREAD))
                .event(by(120, REUSED))
                .event(switch(130, THREAD, 0))
                .event(image(
                    0x030A,
                    140,
                    UNTOLD,
                    0x40_0000,
                    0x8000,
                    r"\Device\HarddiskVolume1\untold.exe",
                ))
                .event(image(
                    0x030A,
                    141,
                    UNTOLD,
                    0x50_0000,
                    0x8000,
                    r"\Device\HarddiskVolume1\data.exe",
                ))
                .event(by(150, UNTOLD))
                .event(by(160, 1000)) // only the rundown at the end tells of it
                .event(by(170, 1100)), // nothing tells of it
        )
        .buffer(
            Buffer::new(1, 2)
                .event(process(0x0302, 200, REUSED, "first.exe"))
                .event(by(210, REUSED)) // still the first: the number is not given away before the next start
                .event(process(0x0301, 300, REUSED, "second.exe"))
                .event(by(310, REUSED))
                .event(thread(0x0501, 320, UNTOLD, THREAD)) // the thread id is used again too
                .event(switch(330, 0, THREAD))
                .event(process(0x0304, 900, SERVICE, "services.exe"))
                .event(process(0x0304, 901, REUSED, "second.exe"))
                .event(process(0x0304, 902, 1000, "late.exe")),
        )
        .build()
}

/// FileIo_Name.
fn file_name(hook: u16, microseconds: i64, object: u64, path: &str) -> Event {
    let payload = Payload::new().u64(object).utf16_z(path);
    kernel(hook, 2, microseconds).process(SERVICE, 804).payload(payload)
}

/// FileIo_V3_Create.
fn create(microseconds: i64, object: u64, path: &str) -> Event {
    let payload = Payload::new()
        .u64(0x1)
        .u64(object)
        .u32(THREAD)
        .u32(0)
        .u32(0)
        .u32(0)
        .utf16_z(path);
    bare(0x0440, 3, microseconds, payload)
}

/// FileIo_V3_SimpleOp.
fn simple(hook: u16, microseconds: i64, object: u64, key: u64) -> Event {
    bare(
        hook,
        3,
        microseconds,
        Payload::new().u64(0x1).u64(object).u64(key).u32(THREAD),
    )
}

/// DiskIo_V3_TypeGroup1.
fn disk_read(microseconds: i64, object: u64) -> Event {
    let payload = Payload::new()
        .u32(0) // DiskNumber
        .u32(0)
        .u32(4096)
        .u32(0)
        .u64(0x2000)
        .u64(object)
        .u64(0x1)
        .u64(77)
        .u32(THREAD);
    bare(0x010A, 3, microseconds, payload)
}

/// Registry_V2_TypeGroup1.
fn registry(hook: u16, microseconds: i64, handle: u64, name: &str) -> Event {
    let payload = Payload::new().i64(0).u32(0).u32(0).u64(handle).utf16_z(name);
    kernel(hook, 2, microseconds).process(SERVICE, 804).payload(payload)
}

fn volume(nt: &str, dos: &str) -> Event {
    Event::full64(SYSTEM_CONFIG_EX, 0x23, 0, 0)
        .at(Trace::qpc(5))
        .payload(Payload::new().utf16_z(nt).utf16_z(dos))
}

/// SystemConfig_V2_LogDisk.
fn partition(letter: &str) -> Event {
    let letter: Vec<u8> = letter
        .encode_utf16()
        .chain([0; 4])
        .take(4)
        .flat_map(u16::to_le_bytes)
        .collect();
    let payload = Payload::new()
        .u64(0)
        .u64(0x1000)
        .u32(0) // DiskNumber
        .u32(0)
        .u32(0)
        .bytes(letter)
        .bytes([0; 20]) // Pad1 to Pad2
        .bytes([0; 16]) // clusters
        .bytes([0; 32]) // FileSystem
        .bytes([0; 8]);
    kernel(0x0B0C, 2, 6).process(4, 8).payload(payload)
}

fn files_and_keys() -> Vec<u8> {
    const OBJECT: u64 = 0xFFFF_C60F_0000_1000;
    const KEY: u64 = 0xFFFF_C60F_0000_2000;
    const LATE: u64 = 0xFFFF_C60F_0000_3000;
    const KCB: u64 = 0xFFFF_9A0C_0000_4000;
    const LATE_KCB: u64 = 0xFFFF_9A0C_0000_5000;
    Trace::new64()
        .buffer_size(4096)
        .buffer(
            Buffer::new(0, 1)
                .event(partition("C:"))
                .event(thread(0x0503, 10, REUSED, THREAD))
                .event(disk_read(90, OBJECT)) // its name comes later, for another file at this address
                .event(file_name(0x0420, 99, KEY, r"\Device\HarddiskVolume1\a.txt"))
                .event(create(100, OBJECT, r"\Device\HarddiskVolume1\a.txt"))
                .event(simple(0x0441, 110, OBJECT, KEY))
                .event(simple(0x0442, 120, OBJECT, KEY))
                .event(disk_read(130, OBJECT)) // closed
                .event(disk_read(131, KEY))
                .event(create(200, OBJECT, r"\Device\HarddiskVolume10\b.txt"))
                .event(disk_read(210, OBJECT))
                .event(disk_read(220, LATE))
                .event(registry(0x0916, 300, KCB, r"\REGISTRY\MACHINE\SOFTWARE"))
                .event(registry(0x090B, 310, KCB, "Contoso"))
                .event(registry(0x0917, 320, KCB, r"\REGISTRY\MACHINE\SOFTWARE"))
                .event(registry(0x090B, 330, KCB, "Contoso")) // gone
                .event(registry(0x0910, 340, LATE_KCB, "Version")),
        )
        .buffer(
            Buffer::new(0, 2)
                .event(registry(0x0919, 890, LATE_KCB, r"\REGISTRY\USER"))
                .event(file_name(0x0424, 900, LATE, r"\Device\HarddiskVolume1\late.txt"))
                .event(volume(r"\Device\HarddiskVolume1\", r"C:\"))
                .event(volume(r"\Device\HarddiskVolume10", "E:")),
        )
        .build()
}

/// StackWalk_Event.
fn stack(microseconds: i64, of: i64, frames: &[u64]) -> Event {
    let start = Payload::new().i64(Trace::qpc(of)).u32(REUSED).u32(THREAD);
    let payload = frames.iter().fold(start, |payload, frame| payload.u64(*frame));
    bare(0x1820, 2, microseconds, payload)
}

/// StackWalk_Key.
fn stack_key(hook: u16, microseconds: i64, of: i64, key: u64) -> Event {
    let payload = Payload::new().i64(Trace::qpc(of)).u32(REUSED).u32(THREAD).u64(key);
    bare(hook, 2, microseconds, payload)
}

/// StackWalk_TypeGroup1.
fn key_frames(hook: u16, microseconds: i64, key: u64, frames: &[u64]) -> Event {
    let payload = frames
        .iter()
        .fold(Payload::new().u64(key), |payload, frame| payload.u64(*frame));
    bare(hook, 2, microseconds, payload)
}

fn stacks() -> Vec<u8> {
    const KEY: u64 = 0xFFFF_A800_0000_5550;
    const LAST_KEY: u64 = 0xFFFF_A800_0000_6660;
    const PROGRAM: u64 = 0x40_1000;
    const LIBRARY: u64 = 0x1000_0100;
    const KERNEL: u64 = 0xFFFF_F800_0000_0040;
    Trace::new64()
        .buffer_size(4096)
        .buffer(
            Buffer::new(0, 1)
                .event(image(
                    0x1403,
                    10,
                    0,
                    0xFFFF_F800_0000_0000,
                    0x1000,
                    r"\SystemRoot\system32\ntoskrnl.exe",
                ))
                .event(process(0x0301, 20, REUSED, "first.exe"))
                .event(thread(0x0501, 30, REUSED, THREAD))
                .event(stack(31, 30, &[KERNEL, PROGRAM])) // the program is not loaded yet
                .event(image(
                    0x030A,
                    40,
                    REUSED,
                    0x40_0000,
                    0x8000,
                    r"\Device\HarddiskVolume1\first.exe",
                ))
                .event(image(
                    0x030A,
                    41,
                    REUSED,
                    0x1000_0000,
                    0x1000,
                    r"\Device\HarddiskVolume1\one.dll",
                ))
                .event(
                    event(1, 50)
                        .process(REUSED, THREAD)
                        .item(Item::stack_trace64(0, &[LIBRARY, PROGRAM, 0x7777])),
                )
                .event(stack(51, 50, &[KERNEL, LIBRARY]))
                .event(event(2, 60).process(REUSED, THREAD))
                .event(stack_key(0x1825, 61, 60, KEY))
                .event(stack_key(0x1826, 62, 60, LAST_KEY))
                .event(image(
                    0x1402,
                    70,
                    REUSED,
                    0x1000_0000,
                    0x1000,
                    r"\Device\HarddiskVolume1\one.dll",
                ))
                .event(image(
                    0x030A,
                    80,
                    REUSED,
                    0x1000_0000,
                    0x200,
                    r"\Device\HarddiskVolume1\two.dll",
                ))
                .event(switch(90, THREAD, 0))
                .event(stack(91, 90, &[LIBRARY, 0x1000_0200])) // of the switch, whose header has no thread; the second lies behind two.dll
                .event(key_frames(0x1823, 100, KEY, &[KERNEL])),
        )
        .buffer(
            Buffer::new(0, 2)
                .event(event(3, 200).process(REUSED, THREAD))
                .event(event(4, 200).process(REUSED, THREAD))
                .event(stack_key(0x1826, 210, 200, KEY)) // of two events at one time; the key means something else now
                .event(
                    event(5, 220)
                        .process(REUSED, THREAD)
                        .item(Item::ts_id(1))
                        .item(Item::stack_key64(0, KEY))
                        .item(Item::stack_key64(0, 0x1234)),
                )
                .event(key_frames(0x1823, 300, KEY, &[LIBRARY, PROGRAM]))
                .event(key_frames(0x1824, 900, LAST_KEY, &[PROGRAM])),
        )
        .build()
}
