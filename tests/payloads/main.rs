//! Decoded payloads of real traces against what independent readers made of them.
//!
//! One test for each trace and reader. Each collects all differences before it fails, so that a failure names every field.
//!
//! ```text
//! kernel.rs      kernel and classic events: counts, how many are decoded to their last byte, the first values
//! layouts.rs     kinds that are decoded by another layout here, and why
//! rendering.rs   values that are the same though they look different, and why
//! traceevent/    the lines of Microsoft's TraceEvent library: process, thread, time and values
//! ```

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

#[path = "../common/mod.rs"]
mod common;
mod differences;
mod kernel;
mod layouts;
mod rendering;
mod traceevent;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value as Json;
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
    vista_rtm_perfmon_blg_32: "vista-rtm-perfmon-blg-32.etl",
    vista_sp1_32bit_image_data_32_v2: "vista-sp1-32bit-image-data-32-v2.etl",
    vista_sp1_32bit_process_data_32_v3: "vista-sp1-32bit-process-data-32-v3.etl",
    vista_sp1_32bit_test_data_64_v0: "vista-sp1-32bit-test-data-64-v0.etl",
    win10_1507_bond: "win10-1507-bond.etl",
    win10_1709_circular_ndf: "win10-1709-circular-ndf.etl",
    win10_1903_amsi: "win10-1903-amsi.etl",
    win10_1903_shutdown_kernel: "win10-1903-shutdown-kernel.etl",
    win10_2004_diaghub_kernel: "win10-2004-diaghub-kernel.etl",
    win10_2004_lxcore: "win10-2004-lxcore.etl",
    win10_21h1_tracelogging_primitive_types: "win10-21h1-tracelogging-primitive-types.etl",
    win10_21h2_wpp_defender_circular: "win10-21h2-wpp-defender-circular.etl",
    win10_21h2_wpp_defender_unfinished_16mb: "win10-21h2-wpp-defender-unfinished-16mb.etl",
    win10_22h2_clr_rundown: "win10-22h2-clr-rundown.etl",
    win10_22h2_gcevents: "win10-22h2-gcevents.etl",
    win10_22h2_header_only_32: "win10-22h2-header-only-32.etl",
    win10_22h2_header_only_64: "win10-22h2-header-only-64.etl",
    win10_22h2_wpp32_onedrive_private: "win10-22h2-wpp32-onedrive-private.etl",
    win11_21h2_compressed_selfdescribing: "win11-21h2-compressed-selfdescribing.etl",
    win11_21h2_compressed_vs_gc: "win11-21h2-compressed-vs-gc.etl",
    win11_22h2_compressed_rpc_arrays: "win11-22h2-compressed-rpc-arrays.etl",
    win11_22h2_newfile_powershell: "win11-22h2-newfile-powershell.etl",
    win11_23h2_waasmedic: "win11-23h2-waasmedic.etl",
    win11_23h2_windowsupdate_rotated: "win11-23h2-windowsupdate-rotated.etl",
    win11_24h2_wpp_cldflt0: "win11-24h2-wpp-cldflt0.etlgz",
    win11_24h2_wpp_cldflt2: "win11-24h2-wpp-cldflt2.etlgz",
    win11_24h2_xperf_tracelogging_43mb: "win11-24h2-xperf-tracelogging-43mb.etl",
    win7_rtm_32bit_image_data_32_v0: "win7-rtm-32bit-image-data-32-v0.etl",
    win7_rtm_32bit_image_data_64_v1: "win7-rtm-32bit-image-data-64-v1.etl",
    win7_rtm_32bit_process_data_32_v1: "win7-rtm-32bit-process-data-32-v1.etl",
    win7_rtm_32bit_process_data_64_v2: "win7-rtm-32bit-process-data-64-v2.etl",
    win7_rtm_process: "win7-rtm-process.etl",
    win7_sp1_http_server: "win7-sp1-http-server.etl",
    win7_sp1_kernel_network: "win7-sp1-kernel-network.etl",
    win7_sp1_net45_x86_26mb: "win7-sp1-net45-x86-26mb.etl",
    win8_compressed_net452_x64: "win8-compressed-net452-x64.etl",
    win8_compressed_net452_x86: "win8-compressed-net452-x86.etl",
    win8_prerelease_winrm: "win8-prerelease-winrm.etl",
}

#[test]
fn every_trace_has_a_test() {
    let Some(shared) = shared::folder() else { return };
    let found: BTreeSet<_> = fs::read_dir(shared.join("golden/payloads"))
        .unwrap()
        .filter_map(|entry| {
            entry
                .unwrap()
                .file_name()
                .into_string()
                .unwrap()
                .strip_suffix(".json")
                .map(str::to_owned)
        })
        .collect();
    let listed: BTreeSet<_> = FILES.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(found, listed);
}

fn check(file: &str) {
    let Some(shared) = shared::folder() else { return };
    let bytes = load(&shared.join("samples").join(file));
    let expected = format!("golden/payloads/{file}.json");
    let golden = fs::read(shared.join(&expected)).unwrap_or_else(|error| panic!("{expected}: {error}"));
    let golden: Json = serde_json::from_slice(&golden).unwrap_or_else(|error| panic!("{expected}: {error}"));
    let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap_or_else(|error| panic!("{file}: {error}"));
    kernel::check(file, &trace, &golden);
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
