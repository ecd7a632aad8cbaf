//! What the command line may name: compressed traces, archives and their members, folders, patterns.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run_with(args: &[&str], stdin: &[u8]) -> Output {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut Cursor::new(stdin), &mut stdout, &mut stderr);
    Output {
        status,
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

fn run(args: &[&str]) -> Output {
    run_with(args, &[])
}

fn sample_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples").join(name)
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(sample_path(name)).unwrap()
}

fn hello() -> Vec<u8> {
    sample("hello.etl")
}

/// The lines of hello.etl, as events of that file.
fn hello_text() -> String {
    run(&["dump", sample_path("hello.etl").to_str().unwrap()]).stdout
}

/// The same in the order of the file.
fn hello_in_file_order() -> String {
    run(&["dump", "--order", "file", sample_path("hello.etl").to_str().unwrap()]).stdout
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzEncoder::new(bytes, flate2::Compression::default())
        .read_to_end(&mut out)
        .unwrap();
    out
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(3)).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    bzip2::read::BzEncoder::new(bytes, bzip2::Compression::best())
        .read_to_end(&mut out)
        .unwrap();
    out
}

fn zip_with(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(members, CompressionMethod::Deflated)
}

fn cab_with(members: &[(&str, &[u8])], compression: cab::CompressionType) -> Vec<u8> {
    let mut builder = cab::CabinetBuilder::new();
    let folder = builder.add_folder(compression);
    for (name, _) in members {
        folder.add_file(*name);
    }
    let mut writer = builder.build(Cursor::new(Vec::new())).unwrap();
    let mut contents = members.iter();
    while let Some(mut file) = writer.next_file().unwrap() {
        file.write_all(contents.next().unwrap().1).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn cab(members: &[(&str, &[u8])]) -> Vec<u8> {
    cab_with(members, cab::CompressionType::MsZip)
}

/// A cabinet with LZX compression, of one uncompressed LZX block: less than 32 KiB.
fn lzx_cab(name: &str, bytes: &[u8]) -> Vec<u8> {
    let size = u32::try_from(bytes.len()).unwrap();
    // No translation of calls, block type 3, 24 bits of size, up to a word: most significant bit first in words.
    let bits = 0b011 << 28 | size << 4;
    let mut data = Vec::new();
    data.extend_from_slice(&u16::try_from(bits >> 16).unwrap().to_le_bytes());
    data.extend_from_slice(&u16::try_from(bits & 0xFFFF).unwrap().to_le_bytes());
    data.extend_from_slice(&[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    data.extend_from_slice(bytes);
    let whole = cab_with(&[(name, &data)], cab::CompressionType::None);
    let mut whole = whole;
    // Compression of the folder: LZX, window 2^16; size of the member and of its block; no checksum.
    whole[36 + 6..36 + 8].copy_from_slice(&0x1003u16.to_le_bytes());
    whole[36 + 8..36 + 12].copy_from_slice(&size.to_le_bytes());
    let block = u32::from_le_bytes(whole[36..40].try_into().unwrap()) as usize;
    whole[block..block + 4].fill(0);
    whole[block + 6..block + 8].copy_from_slice(&u16::try_from(size).unwrap().to_le_bytes());
    whole
}

type Packer = fn(&[u8]) -> Vec<u8>;

const STREAMS: [(&str, Packer); 4] = [("gzip", gzip), ("zstd", zstd), ("xz", xz), ("bzip2", bzip2)];

fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let members: &[(&str, &[u8])] = &[("readme.txt", b"not a trace"), ("folder/hello.etl", &hello())];
    vec![
        ("zip-stored", zip_with(members, CompressionMethod::Stored)),
        ("zip-deflate", zip(members)),
        ("zip-bzip2", zip_with(members, CompressionMethod::Bzip2)),
        ("zip-zstd", zip_with(members, CompressionMethod::Zstd)),
        ("zip-xz", zip_with(members, CompressionMethod::Xz)),
        ("cab-none", cab_with(members, cab::CompressionType::None)),
        ("cab-mszip", cab(members)),
    ]
}

#[test]
fn compressed_streams_by_content() {
    let folder = Folder::new();
    let expected = hello_text();
    for (word, pack) in STREAMS {
        let bytes = pack(&hello());
        // Names say nothing.
        let path = folder.put("trace.etl", &bytes);
        for output in [run(&["dump", &path]), run_with(&["dump", "-"], &bytes)] {
            assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{word}");
            assert_eq!(output.stdout, expected, "{word}");
        }
        let info: Value = serde_json::from_str(&run(&["info", "--format", "json", &path]).stdout).unwrap();
        assert_eq!(info["containers"], serde_json::json!([word]));
        assert_eq!(
            (info["gzip"].as_bool(), info["size"].as_u64()),
            (Some(word == "gzip"), Some(6144))
        );
        // Several streams in a row are one.
        let (first, second) = (hello()[..1000].to_vec(), hello()[1000..].to_vec());
        let both = [pack(&first), pack(&second)].concat();
        assert_eq!(run_with(&["dump", "-"], &both).stdout, expected, "{word}");
    }
}

#[test]
fn cut_streams_are_read_as_far_as_they_go() {
    // Bytes that cannot be compressed behind the trace, so that a cut in the middle leaves it whole.
    let mut bytes = hello();
    let mut state = 1u32;
    bytes.extend((0..3_000_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    for (word, pack) in STREAMS {
        let mut packed = pack(&bytes);
        packed.truncate(packed.len() / 2);
        let output = run_with(&["dump", "-"], &packed);
        assert_eq!(output.status, 3, "{word}: {}", output.stderr);
        assert!(output.stdout.starts_with(&hello_text()), "{word}");
        let text = format!("of the decompressed trace: the {word} file cannot be decompressed further: ");
        assert!(output.stderr.contains(&text), "{word}: {}", output.stderr);
    }
}

#[test]
fn archives_are_looked_into() {
    let folder = Folder::new();
    for (name, bytes) in archives() {
        let path = folder.put(name, &bytes);
        let output = run(&["dump", &path]);
        assert_eq!(output.status, 0, "{name}: {}", output.stderr);
        let trace = format!("{path}!folder/hello.etl");
        assert_eq!(output.stdout, format!("==> {trace} <==\n{}", hello_text()), "{name}");
        assert!(
            output.stderr.starts_with(&format!("winetl: {path}: note: a member of the "))
                && output.stderr.ends_with(" is no trace and was passed over: readme.txt\n"),
            "{}",
            output.stderr
        );
        let json = run(&["dump", "--format", "jsonl", &path]).stdout;
        let event: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!(event["file"], trace.as_str());
        // A member that was named is like a file.
        let output = run(&["dump", &trace]);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""));
        assert_eq!(output.stdout, hello_text());
        let info: Value = serde_json::from_str(&run(&["info", "--format", "json", &trace]).stdout).unwrap();
        assert_eq!(info["file"], trace.as_str());
        assert_eq!(info["containers"], serde_json::json!([&name[..3]]));
        // Only one trace: `buffers` can tell which.
        assert_eq!(run(&["buffers", &path]).status, 0);
        let piped = run_with(&["dump", "-"], &bytes);
        assert!(piped.status == 0 && piped.stdout.starts_with("==> standard input!folder/hello.etl <==\n"));
    }
    let path = folder.put("lzx.cab", &lzx_cab("hello.etl", &hello()));
    let output = run(&["dump", &format!("{path}!hello.etl")]);
    assert_eq!((output.stderr.as_str(), output.stdout), ("", hello_text()));
}

#[test]
fn members_are_chosen() {
    let folder = Folder::new();
    let (one, two) = (hello(), sample("header-system64.etl"));
    let path = folder.put(
        "a.zip",
        &zip(&[("x/One.etl", &one), ("x/two.etl", &two), ("y/two.etl", &two)]),
    );
    let names = |args: &[&str]| -> Vec<String> {
        let text = run(&[&["info", "--format", "json"], args].concat()).stdout;
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|line| {
                line["file"]
                    .as_str()
                    .unwrap()
                    .strip_prefix(&format!("{path}!"))
                    .unwrap()
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(names(&[&path]), ["x/One.etl", "x/two.etl", "y/two.etl"]);
    assert_eq!(names(&[&format!("{path}!x/one.ETL")]), ["x/One.etl"]);
    assert_eq!(names(&[&format!("{path}!*two.etl")]), ["x/two.etl", "y/two.etl"]);
    let wrong = run(&["dump", &format!("{path}!x/tow.etl")]);
    assert_eq!(wrong.status, 1);
    assert_eq!(
        wrong.stderr,
        format!("winetl: {path}: has no member `x/tow.etl`; did you mean `x/two.etl`?; it has x/One.etl, x/two.etl, y/two.etl\n")
    );
    let several = run(&["buffers", &path]);
    assert_eq!(several.status, 1);
    assert_eq!(
        several.stderr,
        format!(
            "winetl: {path}: is more than one trace, and one is wanted; name one of {path}!x/One.etl, {path}!x/two.etl, {path}!y/two.etl\n"
        )
    );
    assert_eq!(run(&["buffers", &format!("{path}!y/two.etl")]).status, 0);
    // A file of that very name comes first.
    let literal = folder.put("a.zip!x/One.etl", &two);
    assert_eq!(run(&["info", &literal]).stdout.matches("2,048 bytes").count(), 1);
    let plain = folder.put("plain.etl", &one);
    let output = run(&["dump", &format!("{plain}!x")]);
    assert!(
        output.status == 1 && output.stderr.contains("is no archive"),
        "{}",
        output.stderr
    );
}

#[test]
fn containers_within_containers() {
    let folder = Folder::new();
    let inner = cab(&[("t.etl", &hello())]);
    let path = folder.put(
        "a.zip",
        &zip(&[
            ("t.etl.gz", &gzip(&hello())),
            ("inner.cab", &inner),
            ("b.docx", &zip(&[("x", b"")])),
        ]),
    );
    let output = run(&["dump", "--order", "file", &path]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    for name in ["t.etl.gz", "inner.cab!t.etl"] {
        assert!(
            output.stdout.contains(&format!("==> {path}!{name} <==\n")),
            "{}",
            output.stdout
        );
        assert_eq!(run(&["dump", &format!("{path}!{name}")]).stdout, hello_text(), "{name}");
    }
    assert!(output.stderr.contains("passed over: b.docx"), "{}", output.stderr);
    let info: Value = serde_json::from_str(&run(&["info", "--format", "json", &format!("{path}!t.etl.gz")]).stdout).unwrap();
    assert_eq!(info["containers"], serde_json::json!(["zip", "gzip"]));
    assert!(
        run(&["info", &format!("{path}!t.etl.gz")])
            .stdout
            .contains("decompressed from gzip in zip")
    );
    // Three are too many.
    let deep = folder.put("deep.zip", &zip(&[("inner.zip", &zip(&[("t.etl.gz", &gzip(&hello()))]))]));
    let output = run(&["dump", &deep]);
    assert_eq!((output.status, output.stdout.as_str()), (1, ""));
    assert!(
        output
            .stderr
            .contains("deep.zip!inner.zip!t.etl.gz: is packed more than 2 times"),
        "{}",
        output.stderr
    );
}

#[test]
fn archives_without_traces_are_unusable() {
    let folder = Folder::new();
    let names: Vec<String> = (0..20).map(|n| format!("{n}.txt")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"text".as_slice())).collect();
    for bytes in [zip(&members), cab(&members)] {
        let path = folder.put("a", &bytes);
        let output = run(&["dump", &path, sample_path("hello.etl").to_str().unwrap()]);
        assert_eq!(output.status, 1);
        assert!(
            output
                .stderr
                .contains("holds no trace: none of its members begins as one does (0.txt, 1.txt, ")
                && output.stderr.ends_with("7.txt, and 12 more)\n"),
            "{}",
            output.stderr
        );
        assert!(output.stdout.contains("HelloSession"), "others are read");
    }
    let output = run(&["info", &folder.put("empty.zip", &zip(&[]))]);
    assert!(
        output.status == 1 && output.stderr.contains("the zip archive is empty"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_bomb_is_stopped() {
    let folder = Folder::new();
    let mut bytes = hello();
    bytes.resize(200 << 20, 0);
    let start = Instant::now();
    let cases: [(&str, Vec<u8>); 4] = [
        ("zip", zip(&[("a.etl", &bytes), ("b.etl", &bytes)])),
        ("cab", cab(&[("a.etl", &bytes)])),
        ("zst", zstd(&bytes)),
        ("zip.zst", zstd(&zip(&[("a.etl", &bytes)]))),
    ];
    let made = start.elapsed();
    for (name, bytes) in cases {
        assert!(bytes.len() < 8 << 20);
        let path = folder.put(name, &bytes);
        let start = Instant::now();
        let output = run(&["info", "--max-unpacked", "5M", &path]);
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{name}: {:?}, made in {made:?}",
            start.elapsed()
        );
        assert!(
            output.stderr.contains("more than the limit of 5242880 bytes"),
            "{name}: {}",
            output.stderr
        );
        assert!(output.stdout.contains("HelloSession"), "{name}: what was unpacked is read");
        assert_eq!(output.status, if name == "zip" { 1 } else { 3 }, "{}", output.stderr);
    }
    let output = run(&["info", "--max-unpacked", "5M", folder.0.path().join("zip").to_str().unwrap()]);
    assert!(output.stderr.contains("the other members were not read"), "{}", output.stderr);
    assert_eq!(run(&["info", "--max-unpacked", "lots", "x"]).status, 2);
}

#[test]
fn too_large_windows_are_not_allocated() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(30).unwrap();
    encoder.write_all(&hello()).unwrap();
    let long = encoder.finish().unwrap();
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = 512 << 20;
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(&hello()).unwrap();
    let wide = writer.finish().unwrap();
    for bytes in [long, wide] {
        let output = run_with(&["info", "-"], &bytes);
        assert_eq!(output.status, 1);
        assert!(output.stderr.contains("a window of more than 128 MiB"), "{}", output.stderr);
    }
}

#[test]
fn a_zip_without_its_end_is_read_from_the_beginning() {
    let folder = Folder::new();
    let whole = zip(&[("a.etl", &hello()), ("b.etl", &hello()), ("c.etl", &hello())]);
    let third = whole
        .windows(4)
        .enumerate()
        .filter(|(_, bytes)| *bytes == b"PK\x03\x04")
        .nth(2)
        .unwrap()
        .0;
    let path = folder.put("a.zip", &whole[..third + 100]);
    let output = run(&["dump", "--order", "file", &path]);
    assert_eq!(output.status, 1, "{}", output.stderr);
    for name in ["a.etl", "b.etl"] {
        assert!(
            output
                .stdout
                .contains(&format!("==> {path}!{name} <==\n{}", hello_in_file_order())),
            "{name}"
        );
    }
    assert!(
        output
            .stderr
            .contains("the directory at the end of the zip archive cannot be used"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_cut_cabinet_gives_its_first_members() {
    let folder = Folder::new();
    let mut noise = sample("hello.etl");
    let mut state = 1u32;
    noise.extend((0..200_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    let mut bytes = cab(&[("a.etl", &hello()), ("b.etl", &noise), ("c.etl", &hello())]);
    bytes.truncate(bytes.len() / 2);
    let path = folder.put("a.cab", &bytes);
    let output = run(&["dump", "--order", "file", &path]);
    assert!(
        output
            .stdout
            .contains(&format!("==> {path}!a.etl <==\n{}", hello_in_file_order())),
        "{}",
        output.stderr
    );
    assert!(
        output
            .stdout
            .contains(&format!("==> {path}!b.etl <==\n{}", hello_in_file_order()))
    );
    assert!(output.stderr.contains("b.etl: at 0x"), "{}", output.stderr);
    assert!(output.stderr.contains("c.etl: cannot be unpacked: "), "{}", output.stderr);
    assert_eq!(output.status, 1);
}

#[test]
fn what_cannot_be_unpacked_is_named() {
    let folder = Folder::new();
    // The flag of encryption, in the member and in the directory.
    let mut encrypted = zip(&[("a.etl", &hello())]);
    encrypted[6] |= 1;
    let directory = encrypted.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    encrypted[directory + 8] |= 1;
    let output = run(&["dump", &folder.put("e.zip", &encrypted)]);
    assert!(
        output.status == 1 && output.stderr.contains("e.zip!a.etl: is encrypted"),
        "{}",
        output.stderr
    );
    let mut unknown = zip(&[("a.etl", &hello())]);
    unknown[8] = 97;
    unknown[directory + 10] = 97;
    let output = run(&["dump", &folder.put("u.zip", &unknown)]);
    assert!(
        output.status == 1 && output.stderr.contains("a method that is not known"),
        "{}",
        output.stderr
    );
    // The member's folder is one that the next cabinet goes on with.
    let mut set = cab(&[("a.etl", &hello())]);
    set[36 + 8 + 8..36 + 8 + 10].copy_from_slice(&0xFFFEu16.to_le_bytes());
    let output = run(&["dump", &folder.put("s.cab", &set)]);
    assert!(
        output.status == 1 && output.stderr.contains("another cabinet of a set"),
        "{}",
        output.stderr
    );
}

#[test]
fn folders_need_an_option() {
    let folder = Folder::new();
    for name in ["t.10.etl", "t.2.etl", "sub/deep/a.ETL", "z.etl.001", "b.etl.gz", "notes.txt"] {
        folder.put(name, &if name == "b.etl.gz" { gzip(&hello()) } else { hello() });
    }
    folder.put("c.zip", &zip(&[("in.etl", &hello())]));
    folder.put("d.zip", &zip(&[("readme.txt", b"")]));
    let output = run(&["info", folder.path()]);
    assert_eq!(output.status, 1);
    assert!(output.stderr.contains("is a folder: add --recursive"), "{}", output.stderr);
    let output = run(&["info", "--format", "json", "-r", folder.path()]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(
        output.stderr.contains("d.zip: note: the zip archive holds no trace"),
        "{}",
        output.stderr
    );
    let names: Vec<String> = output
        .stdout
        .lines()
        .map(|line| {
            let info: Value = serde_json::from_str(line).unwrap();
            let path = Path::new(info["file"].as_str().unwrap());
            path.strip_prefix(folder.path()).unwrap().to_str().unwrap().replace('\\', "/")
        })
        .collect();
    assert_eq!(
        names,
        [
            "b.etl.gz",
            "c.zip!in.etl",
            "sub/deep/a.ETL",
            "t.2.etl",
            "t.10.etl",
            "z.etl.001"
        ]
    );
    let empty = Folder::new();
    let output = run(&["info", "-r", empty.path()]);
    assert!(
        output.status == 1 && output.stderr.contains("has no trace in it or below"),
        "{}",
        output.stderr
    );
    assert!(run(&["buffers", folder.path()]).stderr.contains("name one trace in it"));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_in_circles() {
    let folder = Folder::new();
    let trace = folder.put("sub/t.etl", &hello());
    std::os::unix::fs::symlink(folder.path(), folder.0.path().join("sub/loop")).unwrap();
    std::os::unix::fs::symlink(&trace, folder.0.path().join("linked.etl")).unwrap();
    let output = run(&["info", "--format", "json", "-r", folder.path()]);
    assert_eq!((output.status, output.stdout.lines().count()), (0, 2));
}

#[test]
fn patterns_that_no_shell_has_expanded() {
    let folder = Folder::new();
    for name in ["a.10.etl", "a.2.etl", "b.etl", "[x].etl"] {
        folder.put(name, &hello());
    }
    let count = |pattern: &str| {
        let output = run(&["info", "--format", "json", &format!("{}/{pattern}", folder.path())]);
        (output.status, output.stdout.lines().count(), output.stderr)
    };
    assert_eq!(count("a.*.etl"), (0, 2, String::new()));
    assert_eq!(count("?.etl"), (0, 1, String::new()));
    assert_eq!(count("[x].etl"), (0, 1, String::new()), "a file of that name comes first");
    assert!(count("q*.etl").2.contains("matches no file"));
    // More might have matched: each says what it is.
    let text = run(&["dump", "--format", "jsonl", &format!("{}/b*", folder.path())]).stdout;
    assert!(text.starts_with("{\"file\":"), "{text}");
    folder.put("z.zip", &zip(&[("in.etl", &hello())]));
    assert_eq!(count("z*.zip!in.etl"), (0, 1, String::new()));
}

#[test]
fn output_never_overwrites_what_is_read() {
    let folder = Folder::new();
    let trace = folder.put("sub/t.etl", &hello());
    let archive = folder.put("a.zip", &zip(&[("in.etl", &hello())]));
    let pattern = format!("{}/sub/*.etl", folder.path());
    let member = format!("{archive}!in.etl");
    for (output, input) in [(&trace, &pattern), (&archive, &archive), (&archive, &member)] {
        let result = run(&["dump", "-o", output, input]);
        assert_eq!(result.status, 2, "{}", result.stderr);
    }
    assert_eq!(run(&["dump", "-r", "-o", &trace, folder.path()]).status, 2);
    assert_eq!(fs::read(&trace).unwrap(), hello());
    // A new file in the folder is not one of its traces.
    let new = folder.0.path().join("sub/new.etl");
    let result = run(&["dump", "-r", "--order", "file", "-o", new.to_str().unwrap(), folder.path()]);
    assert_eq!(result.status, 0, "{}", result.stderr);
    assert_eq!(fs::read_to_string(new).unwrap().matches("==> ").count(), 2);
}

#[test]
fn ten_thousand_files() {
    let folder = Folder::new();
    let bytes = sample("header-system64.etl");
    for number in 0..10_000 {
        fs::write(folder.0.path().join(format!("t.{number}.etl")), &bytes).unwrap();
    }
    let start = Instant::now();
    let output = run(&["buffers", "--format", "jsonl", &format!("{}/t.9999.etl", folder.path())]);
    assert_eq!(output.status, 0);
    let output = run(&["info", "--format", "json", "-r", folder.path()]);
    assert_eq!(
        (output.status, output.stdout.lines().count()),
        (0, 10_000),
        "{}",
        output.stderr
    );
    assert!(output.stdout.lines().next_back().unwrap().contains("t.9999.etl"));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Nothing that is cut off or changed in one byte makes the program panic, hang or fail in a way that it does not word.
#[test]
fn damaged_containers() {
    let trace = sample("header-system64.etl");
    let members: &[(&str, &[u8])] = &[("a.etl", &trace), ("b.txt", b"text"), ("c.etl.gz", &gzip(&trace))];
    let mut cases: Vec<Vec<u8>> = STREAMS.iter().map(|(_, pack)| pack(&trace)).collect();
    for method in [
        CompressionMethod::Stored,
        CompressionMethod::Deflated,
        CompressionMethod::Bzip2,
        CompressionMethod::Zstd,
        CompressionMethod::Xz,
    ] {
        cases.push(zip_with(members, method));
    }
    cases.push(cab(members));
    cases.push(cab_with(members, cab::CompressionType::None));
    cases.push(lzx_cab("a.etl", &trace));
    for whole in cases {
        let step = (whole.len() / 40).max(1);
        for at in (0..whole.len()).filter(|at| *at < 60 || at + 100 > whole.len() || at % step == 0) {
            let check = |bytes: &[u8]| {
                let output = run_with(&["info", "--format", "json", "--max-unpacked", "1M", "-"], bytes);
                assert!(matches!(output.status, 0 | 1 | 3), "{at}: {}", output.stderr);
                assert!(output.status == 0 || !output.stderr.is_empty(), "{at}");
                assert!(output.status == 1 || !output.stdout.is_empty(), "{at}: {}", output.stderr);
            };
            check(&whole[..at]);
            for change in [0xFF, 0x01] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                check(&changed);
            }
        }
    }
}
