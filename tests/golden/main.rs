//! Real traces, and literal ones of an independent program, against what independent programs read from them.
//!
//! One test for each trace. Each collects all differences before it fails, so that a failure names every field.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod buffers;
#[path = "../common/mod.rs"]
mod common;
mod counts;
mod damage;
mod describe;
mod differences;
mod logfile;
mod time_order;
mod walk;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use differences::Differences;
use serde_json::Value as Json;
use walk::Walk;
use winetl::{Limits, TraceFile};
use winetl_tests::shared;

macro_rules! traces {
    ($($name:ident: $file:literal,)*) => {
        $(
            #[test]
            fn $name() {
                check($file);
            }
        )*

        const FILES: &[&str] = &[$($file),*];
    };
}

traces! {
    vista_rtm_perfmon_blg_32: "samples/vista-rtm-perfmon-blg-32.etl",
    vista_sp1_32bit_image_data_32_v2: "samples/vista-sp1-32bit-image-data-32-v2.etl",
    vista_sp1_32bit_process_data_32_v3: "samples/vista-sp1-32bit-process-data-32-v3.etl",
    vista_sp1_32bit_test_data_64_v0: "samples/vista-sp1-32bit-test-data-64-v0.etl",
    win10_1507_bond: "samples/win10-1507-bond.etl",
    win10_1709_circular_ndf: "samples/win10-1709-circular-ndf.etl",
    win10_1903_amsi: "samples/win10-1903-amsi.etl",
    win10_1903_shutdown_kernel: "samples/win10-1903-shutdown-kernel.etl",
    win10_2004_diaghub_kernel: "samples/win10-2004-diaghub-kernel.etl",
    win10_2004_lxcore: "samples/win10-2004-lxcore.etl",
    win10_21h1_tracelogging_primitive_types: "samples/win10-21h1-tracelogging-primitive-types.etl",
    win10_21h2_wpp_defender_circular: "samples/win10-21h2-wpp-defender-circular.etl",
    win10_21h2_wpp_defender_unfinished_16mb: "samples/win10-21h2-wpp-defender-unfinished-16mb.etl",
    win10_22h2_clr_rundown: "samples/win10-22h2-clr-rundown.etl",
    win10_22h2_gcevents: "samples/win10-22h2-gcevents.etl",
    win10_22h2_header_only_32: "samples/win10-22h2-header-only-32.etl",
    win10_22h2_header_only_64: "samples/win10-22h2-header-only-64.etl",
    win10_22h2_wpp32_onedrive_private: "samples/win10-22h2-wpp32-onedrive-private.etl",
    win11_21h2_compressed_selfdescribing: "samples/win11-21h2-compressed-selfdescribing.etl",
    win11_21h2_compressed_vs_gc: "samples/win11-21h2-compressed-vs-gc.etl",
    win11_22h2_compressed_rpc_arrays: "samples/win11-22h2-compressed-rpc-arrays.etl",
    win11_22h2_newfile_powershell: "samples/win11-22h2-newfile-powershell.etl",
    win11_23h2_waasmedic: "samples/win11-23h2-waasmedic.etl",
    win11_23h2_windowsupdate_rotated: "samples/win11-23h2-windowsupdate-rotated.etl",
    win11_24h2_wpp_cldflt0: "samples/win11-24h2-wpp-cldflt0.etlgz",
    win11_24h2_wpp_cldflt2: "samples/win11-24h2-wpp-cldflt2.etlgz",
    win11_24h2_xperf_tracelogging_43mb: "samples/win11-24h2-xperf-tracelogging-43mb.etl",
    win7_rtm_32bit_image_data_32_v0: "samples/win7-rtm-32bit-image-data-32-v0.etl",
    win7_rtm_32bit_image_data_64_v1: "samples/win7-rtm-32bit-image-data-64-v1.etl",
    win7_rtm_32bit_process_data_32_v1: "samples/win7-rtm-32bit-process-data-32-v1.etl",
    win7_rtm_32bit_process_data_64_v2: "samples/win7-rtm-32bit-process-data-64-v2.etl",
    win7_rtm_process: "samples/win7-rtm-process.etl",
    win7_sp1_http_server: "samples/win7-sp1-http-server.etl",
    win7_sp1_kernel_network: "samples/win7-sp1-kernel-network.etl",
    win7_sp1_net45_x86_26mb: "samples/win7-sp1-net45-x86-26mb.etl",
    win8_compressed_net452_x64: "samples/win8-compressed-net452-x64.etl",
    win8_compressed_net452_x86: "samples/win8-compressed-net452-x86.etl",
    win8_prerelease_winrm: "samples/win8-prerelease-winrm.etl",
    synthetic_all_headers32: "synthetic/all_headers32.etl",
    synthetic_all_headers64_compressed: "synthetic/all_headers64.compressed.etl",
    synthetic_all_headers64: "synthetic/all_headers64.etl",
    synthetic_bad_event_size: "synthetic/bad_event_size.etl",
    synthetic_truncated_last_buffer: "synthetic/truncated_last_buffer.etl",
    synthetic_unfinished: "synthetic/unfinished.etl",
    synthetic_win7_style: "synthetic/win7_style.etl",
    synthetic_zero_tail: "synthetic/zero_tail.etl",
}

#[test]
fn every_trace_has_a_test() {
    let Some(shared) = shared::folder() else { return };
    let mut found = BTreeSet::new();
    for folder in ["samples", "synthetic"] {
        for entry in fs::read_dir(shared.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".etl") || name.ends_with(".etlgz") {
                found.insert(format!("{folder}/{name}"));
            }
        }
    }
    let listed: BTreeSet<_> = FILES.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(found, listed);
}

fn check(file: &str) {
    let Some(shared) = shared::folder() else { return };
    let bytes = load(&shared.join(file));
    let expected = match file.strip_prefix("samples/") {
        Some(name) => format!("golden/{name}.json"),
        None => format!("{file}.json"),
    };
    let golden = fs::read(shared.join(&expected)).unwrap_or_else(|error| panic!("{expected}: {error}"));
    let golden: Json = serde_json::from_slice(&golden).unwrap_or_else(|error| panic!("{expected}: {error}"));
    let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap_or_else(|error| panic!("{file}: {error}"));

    let mut differences = Differences::default();
    differences.same("sha256", &golden["sha256"], walk::sha256(&bytes));
    differences.same("file_size", &golden["file_size"], trace.size());
    let walk = Walk::new(&trace, &golden);
    logfile::compare(&mut differences, &golden, &trace);
    buffers::compare(&mut differences, &golden, &trace, &bytes, &walk);
    counts::compare(&mut differences, &golden, &walk);
    describe::compare(&mut differences, &golden, &walk);
    damage::compare(&mut differences, &golden, &walk);
    time_order::compare(&mut differences, &trace, &walk);
    differences::every_key_is_known(&mut differences, &golden);
    differences.finish(file);
}

fn load(path: &Path) -> Vec<u8> {
    let stored = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if path.extension().is_some_and(|extension| extension == "etlgz") {
        let mut bytes = vec![];
        flate2::read::GzDecoder::new(stored.as_slice())
            .read_to_end(&mut bytes)
            .unwrap();
        return bytes;
    }
    stored
}
