//! `hello`: the friendly sample. A plausible trace of starting and leaving an editor on Windows 11 23H2, with two processors.

use super::{Sample, sample};
use crate::synth::{Buffer, Descriptor, Event, Guid, Item, Message, NO_GUID, Payload, TlSchema, Trace, guid, sid};

pub(super) const SAMPLES: &[Sample] = &[sample(
    "hello",
    "An editor starts, opens a file and ends: kernel, manifest, TraceLogging, classic and WPP events of two processors",
    hello,
)];

const KERNEL_PROCESS: Guid = guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
const CONTOSO_NOTES: Guid = guid("c0470505-0e5e-5a11-9b1e-2f6d0a7c4e11");
const CONTOSO_DRIVER: Guid = guid("c0470505-d21f-4e5e-8a10-77d0c3b2a901");
const CONTOSO_CLASSIC: Guid = guid("c0470505-c1a5-4510-9c0d-15ea5e000002");
const ACTIVITY: Guid = guid("0a11ac71-0001-4b00-8d00-00000000c0de");

const EXPLORER: u32 = 3888;
const NOTES: u32 = 4120;
const MAIN_THREAD: u32 = 4124;
const WORKER: u32 = 4132;
const PATH: &str = r"\Device\HarddiskVolume3\Program Files\Contoso\notes.exe";

fn hello() -> Vec<u8> {
    let masks = Payload::new().u32(0x0000_0007).bytes([0; 28]).u32(0x42); // GroupMasks: process, thread, image
    let partition = Payload::new().u16(0).u16(0).u32(0).i64(0).bytes(NO_GUID).bytes(NO_GUID);
    let system = |hook, payload: Payload| {
        Event::system64(hook, 2)
            .process(1204, 5316)
            .at(Trace::qpc(2))
            .payload(payload)
    };
    Trace::new64()
        .buffer_size(2048)
        .mode(0x0200_0001) // SYSTEM_LOGGER_MODE, SEQUENTIAL
        .logfile(|l| (l.session, l.path) = ("HelloSession".into(), r"C:\Traces\hello.etl".into()))
        .header_event(system(0x0005, masks)) // HEADER_EXTENSION
        .header_event(system(0x0050, partition)) // PARTITION_INFO_EXTENSION_V2
        .header_event(build_lab())
        .buffer(
            Buffer::new(0, 1)
                .event(kernel(0x0301, 4, 12_000).process(EXPLORER, 3912).payload(process(0))) // process start
                .event(
                    kernel(0x0501, 3, 12_040)
                        .process(EXPLORER, 3912)
                        .payload(thread(MAIN_THREAD, "")),
                ) // thread start
                .event(process_start())
                .event(kernel(0x030A, 3, 13_500).process(NOTES, MAIN_THREAD).payload(image())) // image load
                .event(image_load())
                .event(profile(15_000))
                .event(
                    kernel(0x0501, 3, 16_000)
                        .process(NOTES, MAIN_THREAD)
                        .payload(thread(WORKER, "spell checker")),
                ) // thread start
                .event(file_opened()),
        )
        .buffer(
            Buffer::new(1, 2)
                .event(switch(16_050))
                .event(driver_message(18_250, 12, "open", 0))
                .event(classic())
                .event(driver_message(950_000, 13, "close", 1))
                .event(
                    kernel(0x0502, 3, 1_499_000)
                        .process(NOTES, WORKER)
                        .cpu_times(2, 5)
                        .payload(thread(WORKER, "spell checker")),
                ) // thread end
                .event(process_stop())
                .event(
                    kernel(0x0302, 4, 1_500_300)
                        .process(NOTES, MAIN_THREAD)
                        .cpu_times(4, 11)
                        .payload(process(0)),
                ), // process end
        )
        .build()
}

fn kernel(hook: u16, version: u8, microseconds: i64) -> Event {
    Event::system64(hook, version).at(Trace::qpc(microseconds))
}

fn build_lab() -> Event {
    Event::perfinfo64(0x0042, 2)
        .at(Trace::qpc(3))
        .payload(Payload::new().ansi_z("22631.1.amd64fre.ni_release.220506-1250"))
}

/// Process_V4_TypeGroup1 of version 4.
fn process(exit_status: i32) -> Payload {
    Payload::new()
        .u64(0xFFFF_C60F_61A2_B080) // UniqueProcessKey
        .u32(NOTES)
        .u32(EXPLORER)
        .u32(1) // SessionId
        .i32(exit_status)
        .u64(0x0000_0001_1F4A_2000) // DirectoryTableBase
        .u32(0) // Flags
        .u64(0xFFFF_9A0C_42D7_F060) // UserSID is a TOKEN_USER: a pointer and attributes come before the SID
        .u64(0)
        .bytes(sid(5, &[21, 1_111_111_111, 2_222_222_222, 3_333_333_333, 1001]))
        .ansi_z("notes.exe")
        .utf16_z(r#""C:\Program Files\Contoso\notes.exe" todo.txt"#)
        .utf16_z("") // PackageFullName
        .utf16_z("") // ApplicationId
}

/// Thread_TypeGroup1 of version 3.
fn thread(id: u32, name: &str) -> Payload {
    let (stack, user_stack, start, teb) = if id == MAIN_THREAD {
        (0xFFFF_FC8B_2C41_7000, 0x00A1_5F50_0000, 0x7FF6_1A30_1510, 0x00A1_5F2C_8000)
    } else {
        (0xFFFF_FC8B_2C5A_3000, 0x00A1_5F70_0000, 0x7FF6_1A30_4C20, 0x00A1_5F2C_A000)
    };
    Payload::new()
        .u32(NOTES)
        .u32(id)
        .u64(stack) // StackBase
        .u64(stack - 0x6000) // StackLimit
        .u64(user_stack) // UserStackBase
        .u64(user_stack - 0x1_0000) // UserStackLimit
        .u64(0x3) // Affinity
        .u64(start) // Win32StartAddr
        .u64(teb) // TebBase
        .u32(0) // SubProcessTag
        .bytes([8, 5, 2, 0]) // BasePriority, PagePriority, IoPriority, ThreadFlags
        .utf16_z(name)
}

/// Image_Load of version 3.
fn image() -> Payload {
    Payload::new()
        .u64(0x0000_7FF6_1A30_0000) // ImageBase
        .u64(0x0003_8000) // ImageSize
        .u32(NOTES)
        .u32(0x0004_2B17) // ImageChecksum
        .u32(0x6616_5D00) // TimeDateStamp
        .u8(8) // SignatureLevel
        .u8(1) // SignatureType
        .u16(0)
        .u64(0x0000_0001_4000_0000) // DefaultBase
        .bytes([0; 16])
        .utf16_z(PATH)
}

/// SampledProfile of version 2.
fn profile(microseconds: i64) -> Event {
    let payload = Payload::new().u64(0x0000_7FF6_1A30_2A44).u32(MAIN_THREAD).u16(1).u8(0).u8(0);
    Event::perfinfo64(0x0F2E, 2).at(Trace::qpc(microseconds)).payload(payload)
}

/// CSwitch_V4: from the idle thread to the worker.
fn switch(microseconds: i64) -> Event {
    let payload = Payload::new()
        .u32(WORKER)
        .u32(0)
        .bytes([8, 0, 1, 0, 0, 0, 2, 1])
        .u32(0)
        .u32(0);
    Event::perfinfo64(0x0524, 4).at(Trace::qpc(microseconds)).payload(payload)
}

fn manifest(id: u16, version: u8, opcode: u8, keyword: u64, microseconds: i64) -> Event {
    let keyword = 0x8000_0000_0000_0000 | keyword; // the bit of the Analytic channel
    let descriptor = Descriptor {
        id,
        version,
        channel: 16,
        level: 4,
        opcode,
        task: id,
        keyword,
    };
    Event::header64(KERNEL_PROCESS, descriptor).at(Trace::qpc(microseconds))
}

fn process_start() -> Event {
    let payload = Payload::new()
        .u32(NOTES)
        .i64(Trace::utc(12_000))
        .u32(EXPLORER)
        .u32(1)
        .u32(0)
        .utf16_z(PATH);
    manifest(1, 1, 1, 0x10, 12_100)
        .process(EXPLORER, 3912)
        .cpu_times(5, 9)
        .payload(payload)
}

fn image_load() -> Event {
    let payload = Payload::new()
        .u64(0x0000_7FF6_1A30_0000) // ImageBase
        .u64(0x0003_8000) // ImageSize
        .u32(NOTES)
        .u32(0x0004_2B17) // ImageCheckSum
        .u32(0x6616_5D00) // TimeDateStamp
        .u64(0x0000_0001_4000_0000) // DefaultBase
        .utf16_z(PATH);
    manifest(5, 0, 0, 0x40, 13_510).process(NOTES, MAIN_THREAD).payload(payload)
}

fn process_stop() -> Event {
    let payload = Payload::new()
        .u32(NOTES)
        .i64(Trace::utc(12_000)) // CreateTime
        .i64(Trace::utc(1_500_000)) // ExitTime
        .u32(0) // ExitCode
        .u32(1) // TokenElevationType
        .u32(143) // HandleCount
        .u64(6_328_320) // CommitCharge
        .u64(6_590_464) // CommitPeak
        .u64(312_540_118) // CPUCycleCount
        .u32(27) // ReadOperationCount
        .u32(3) // WriteOperationCount
        .u32(181) // ReadTransferKiloBytes
        .u32(4) // WriteTransferKiloBytes
        .u32(38) // HardFaultCount
        .ansi_z("notes.exe");
    manifest(2, 1, 2, 0x10, 1_500_100)
        .process(NOTES, MAIN_THREAD)
        .cpu_times(4, 11)
        .payload(payload)
}

/// A TraceLogging event: name and fields come with it.
fn file_opened() -> Event {
    let schema = TlSchema::new("FileOpened")
        .field("path", TlSchema::UTF16_Z)
        .field("size", TlSchema::U64)
        .field("encoding", TlSchema::ANSI_Z)
        .field("readOnly", TlSchema::BOOL32)
        .field("loadSeconds", TlSchema::F64)
        .structure("cursor", 2)
        .field("line", TlSchema::U32)
        .field("column", TlSchema::U32);
    let payload = Payload::new()
        .utf16_z(r"C:\Users\ada\todo.txt")
        .u64(1_337)
        .ansi_z("utf-8")
        .u32(0)
        .f64(0.0125)
        .u32(12)
        .u32(1);
    let descriptor = Descriptor {
        channel: 11,
        level: 4,
        opcode: 0,
        keyword: 0x0000_2000_0000_0000,
        ..Descriptor::default()
    };
    Event::header64(CONTOSO_NOTES, descriptor)
        .process(NOTES, MAIN_THREAD)
        .at(Trace::qpc(18_000))
        .cpu_times(2, 4)
        .activity(ACTIVITY)
        .item(Item::prov_traits("Contoso.Notes", None))
        .item(Item::schema_tl(&schema))
        .payload(payload)
}

fn driver_message(microseconds: i64, number: u16, verb: &str, status: u32) -> Message {
    Message::new(number)
        .guid(CONTOSO_DRIVER)
        .at(Trace::qpc(microseconds))
        .process(4, 244)
        .pointer64()
        .arguments(Payload::new().ansi_z(verb).u32(status))
}

fn classic() -> Event {
    Event::full64(CONTOSO_CLASSIC, 1, 4, 0)
        .process(NOTES, WORKER)
        .at(Trace::qpc(25_000))
        .cpu_times(1, 3)
        .payload(Payload::new().u32(3).utf16_z("misspelled"))
}
