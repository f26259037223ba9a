//! Batches of archives: members convert like the same files in a folder, a damaged archive affects
//! only its own members, and nothing is written outside the output folder.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{Settings, run, run_spooled};
use trellis_corpus::details::{self, Amount};
use trellis_corpus::failure::Kind;
use trellis_corpus::inputs::{Filter, collect};
use trellis_corpus::report::{ShaderReport, Summary, Totals, Validator};
use trellis_dxil::Options;

/// Paths and contents.
type Files = Vec<(String, Vec<u8>)>;

fn shader(name: &str) -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    fs::read(corpus.join(name)).unwrap()
}

/// Names and contents: shaders of the corpus, and files that are not shaders.
fn members() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("readme.txt", b"no shader".to_vec()),
        ("lib/sort.dxil", shader("algorithms/bitonic_sort.dxil")),
        ("lib/no_extension", shader("algorithms/crc32.dxil")),
        ("lib/broken.dxil", b"DXBC, or not".to_vec()),
        ("sky.dxil", shader("lighting/sky.clouds.dxil")),
    ]
}

fn zip_of(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (i, (name, bytes)) in members.iter().enumerate() {
        // One is stored as it is, the next is compressed.
        let method = match i % 2 {
            0 => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn tar_of(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // The library refuses names that lead out of an archive: they are set as others would.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, bytes.as_slice()).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(bytes, level)
}

/// Runs a batch of one input in a new folder; returns the folder, the outputs, and the reports.
fn convert(input: &Path, jobs: usize) -> (Files, Totals, Vec<ShaderReport>) {
    convert_all(&[input.to_owned()], jobs)
}

fn convert_all(inputs: &[PathBuf], jobs: usize) -> (Files, Totals, Vec<ShaderReport>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("inner/out");
    let inputs = collect(inputs, &Filter::default()).unwrap();
    let mut settings = Settings::default();
    settings.output = Some(out.clone());
    settings.jobs = Some(jobs);
    let backend = Backend::new(Options::default());
    let (totals, shaders) = run(&inputs, &backend, &settings, &|_| {}).unwrap();
    (files(folder.path()), totals, shaders)
}

/// Returns all files below a folder and their contents, sorted.
fn files(folder: &Path) -> Files {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.push((name.to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn an_archive_is_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let members = members();
    for (name, bytes) in &members {
        write(at, &format!("plain/{name}"), bytes);
    }
    let tar = tar_of(&members);
    let half = tar.len() / 1024 * 512;
    let frames = [zstd(&tar[..half]), zstd(&tar[half..])].concat();
    let (expected, totals, _) = convert(&at.join("plain"), 1);
    assert_eq!((totals.converted, totals.failed), (3, 1));
    for (name, bytes) in [
        ("a.zip", zip_of(&members)),
        ("a.tar", tar.clone()),
        ("a.tar.zst", zstd(&tar)),
        ("a.tar.gz", gzip(&tar)),
        ("frames.tzst", frames),
    ] {
        let path = write(at, name, &bytes);
        for jobs in [1, 4] {
            let (written, _, shaders) = convert(&path, jobs);
            assert!(written == expected, "{name} with {jobs} threads");
            let failed: Vec<&str> = shaders
                .iter()
                .filter(|shader| shader.error.is_some())
                .map(|shader| shader.input.as_str())
                .collect();
            assert_eq!(failed, [format!("{}!lib/broken.dxil", path.display())]);
        }
    }
}

#[test]
fn an_archive_may_be_given_twice() {
    let folder = tempfile::tempdir().unwrap();
    let shaders = [
        ("a.dxil", shader("algorithms/crc32.dxil")),
        ("b.dxil", shader("algorithms/bitonic_sort.dxil")),
    ];
    for (name, bytes) in [
        ("x.zip", zip_of(&shaders)),
        ("x.tar", tar_of(&shaders)),
        ("x.tar.zst", zstd(&tar_of(&shaders))),
    ] {
        let archive = write(folder.path(), name, &bytes);
        for jobs in [1, 2] {
            let (files, totals, shaders) = convert_all(&[archive.clone(), archive.clone()], jobs);
            assert_eq!(
                totals.to_string(),
                "converted 4, valid 4, failed 0",
                "{name}"
            );
            assert_eq!(files.len(), 4, "{name}");
            // The outputs are in folders named after the archives; the paths in an archive are its own.
            let inputs: Vec<&str> = shaders.iter().map(|s| s.input.as_str()).collect();
            let names = ["a.dxil", "b.dxil"].map(|name| format!("{}!{name}", archive.display()));
            assert_eq!(inputs, [&names[..], &names[..]].concat(), "{name}");
        }
    }
}

#[test]
fn a_name_that_leads_out_of_an_archive_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sort = shader("algorithms/bitonic_sort.dxil");
    let names = [
        "../up.dxil",
        "/root.dxil",
        "a/../../b.dxil",
        "..\\c.dxil",
        "C:\\d.dxil",
        "./good.dxil",
    ];
    let members: Vec<(&str, Vec<u8>)> = names.iter().map(|name| (*name, sort.clone())).collect();
    for (name, bytes) in [("a.zip", zip_of(&members)), ("a.tar", tar_of(&members))] {
        let (written, totals, shaders) = convert(&write(folder.path(), name, &bytes), 2);
        let names: Vec<&str> = written.iter().map(|file| file.0.as_str()).collect();
        assert_eq!(names, ["inner/out/good.spv"], "{name}");
        assert_eq!(totals.failed, 5, "{name}");
        let mut kinds = shaders.iter().filter_map(|s| Some(s.error.as_ref()?.kind));
        assert!(kinds.all(|kind| kind == Kind::Name), "{name}");
    }
}

#[test]
fn a_damaged_archive_fails_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let members = members();
    let tar = tar_of(&members);
    for (name, bytes) in [
        ("a.zip", zip_of(&members)),
        ("a.tar", tar.clone()),
        ("a.tar.zst", zstd(&tar)),
    ] {
        for keep in [0, 1, 100, bytes.len() / 2, bytes.len() - 700] {
            let path = write(folder.path(), name, &bytes[..keep]);
            let listed = collect(std::slice::from_ref(&path), &Filter::default());
            // A tar may end anywhere: complete members are listed.
            if listed.is_ok() {
                let (_, totals, _) = convert(&path, 2);
                assert!(totals.converted < 3, "{name} of {keep} bytes");
            }
        }
        for at in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let path = write(folder.path(), name, &damaged);
            if collect(std::slice::from_ref(&path), &Filter::default()).is_ok() {
                convert(&path, 2);
            }
        }
    }
}

/// A bit of a shader is flipped, and all else is well-formed: only the checksum of the frame
/// differs.
#[test]
fn an_archive_whose_checksum_is_wrong_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // Random bytes, which are stored as they are.
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..4096).map(|_| noise()).collect();
    let tar = tar_of(&[("a.dxil", bytes.clone())]);
    let archive = zstd(&tar);
    let inside = &bytes[1000..1016];
    let at = archive.windows(16).position(|part| part == inside).unwrap();
    let mut damaged = archive.clone();
    damaged[at] ^= 1;
    let mut damaged_gzip = gzip(&tar);
    let checksum = damaged_gzip.len() - 8;
    damaged_gzip[checksum] ^= 1;
    let path = write(folder.path(), "a.tar.zst", &archive);
    assert_eq!(collect(&[path], &Filter::default()).unwrap().len(), 1);
    for (name, bytes) in [
        ("b.tar.zst", damaged.clone()),
        ("b.tgz", damaged_gzip),
        ("c.tar.zst", [zstd(b""), damaged.clone()].concat()),
        ("d.tar.zst", [archive, damaged].concat()),
    ] {
        let path = write(folder.path(), name, &bytes);
        let error = collect(&[path], &Filter::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(name), "{error}");
        assert!(error.contains("checksum"), "{error}");
    }
}

/// Programs that compress in parallel write frames that are to be skipped.
#[test]
fn frames_without_contents_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let skip = |size: u32, bytes: &[u8]| {
        let magic = 0x184d_2a50_u32.to_le_bytes();
        [magic.as_slice(), &size.to_le_bytes(), bytes].concat()
    };
    let members = members();
    let tar = tar_of(&members);
    let (one, two) = tar.split_at(1000);
    let parts = [
        skip(4, b"size"),
        zstd(one),
        skip(0, b""),
        zstd(two),
        skip(3, b"end"),
    ];
    let path = write(folder.path(), "a.tar.zst", &parts.concat());
    let (_, totals, _) = convert(&path, 2);
    assert_eq!((totals.converted, totals.failed), (3, 1));
    for wrong in [
        skip(u32::MAX, b"cut"),
        skip(3, b""),
        b"\x50\x2a\x4d\x18\x01".to_vec(),
    ] {
        let path = write(folder.path(), "b.tar.zst", &[zstd(&tar), wrong].concat());
        assert!(collect(&[path], &Filter::default()).is_err());
    }
}

/// Returns the path of each failure below the archive, and its kind.
fn failures(shaders: &[ShaderReport]) -> Vec<(&str, Kind)> {
    let failed = shaders.iter().filter_map(|shader| {
        let (_, name) = shader.input.split_once('!')?;
        Some((name, shader.error.as_ref()?.kind))
    });
    failed.collect()
}

/// Returns true if there is an output of this name, which is equal to another one.
fn is_output(files: &Files, name: &str, like: &str) -> bool {
    let bytes = |name: &str| {
        let path = format!("inner/out/{name}.spv");
        let found = files.iter().find(|file| file.0 == path);
        found.map(|file| &file.1)
    };
    bytes(name).is_some() && bytes(name) == bytes(like)
}

/// Links are converted under their own names: hard links, which `tar` makes for files that it has
/// already, and symbolic ones. Others are failures.
#[test]
fn links_in_a_tar_are_followed_or_fail() {
    use tar::EntryType::{Link, Regular, Symlink};
    let folder = tempfile::tempdir().unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    let mut add = |kind, name: &str, bytes: &[u8], target: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_path(name).unwrap();
        header.set_size(bytes.len() as u64);
        // The library refuses targets that lead out of an archive.
        header.as_gnu_mut().unwrap().linkname[..target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        tar.append(&header, bytes).unwrap();
    };
    let sort = shader("algorithms/bitonic_sort.dxil");
    add(Symlink, "early.dxil", b"", "lib/sort.dxil");
    add(Regular, "lib/sort.dxil", &sort, "");
    add(Regular, "lib/crc", &shader("algorithms/crc32.dxil"), "");
    add(Link, "lib/same.dxil", b"", "lib/sort.dxil");
    add(Symlink, "other/crc", b"", "../lib/crc");
    add(Symlink, "loop", b"", "loop");
    add(Symlink, "out.dxil", b"", "../../secret.dxil");
    add(Symlink, "folder", b"", "lib");
    add(Link, "gone.dxil", b"", "lib/gone.dxil");
    add(Regular, "text", b"text", "");
    add(Link, "text too", b"", "text");
    let tar = tar.into_inner().unwrap();
    for (name, bytes) in [("a.tar", tar.clone()), ("a.tar.zst", zstd(&tar))] {
        let path = write(folder.path(), name, &bytes);
        for jobs in [1, 4] {
            let (files, totals, shaders) = convert(&path, jobs);
            assert_eq!(totals.converted, 5, "{name}");
            assert!(is_output(&files, "early", "lib/sort"));
            assert!(is_output(&files, "lib/same", "lib/sort"));
            assert!(is_output(&files, "other/crc", "lib/crc"));
            let names = ["loop", "out.dxil", "folder", "gone.dxil"];
            assert_eq!(failures(&shaders), names.map(|name| (name, Kind::Link)));
        }
    }
    // One is read alone, too.
    let path = write(folder.path(), "a.tar", &tar);
    let inputs = collect(&[path], &Filter::default()).unwrap();
    let input = |name: &str| inputs.iter().find(|input| input.relative == name).unwrap();
    assert_eq!(input("lib/same.dxil").read().unwrap(), sort);
    assert_eq!(input("loop").read().unwrap_err().kind, Kind::Link);
}

#[test]
fn links_in_a_zip_are_followed_or_fail() {
    let folder = tempfile::tempdir().unwrap();
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let sort = shader("algorithms/bitonic_sort.dxil");
    zip.add_symlink("a/link.dxil", "../sort.dxil", options)
        .unwrap();
    zip.add_symlink("a/gone.dxil", "gone", options).unwrap();
    zip.start_file("sort.dxil", options).unwrap();
    zip.write_all(&sort).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let path = write(folder.path(), "a.zip", &bytes);
    let (files, totals, shaders) = convert(&path, 2);
    assert_eq!(totals.converted, 2);
    assert!(is_output(&files, "a/link", "sort"));
    assert_eq!(failures(&shaders), [("a/gone.dxil", Kind::Link)]);
    for input in collect(&[path], &Filter::default()).unwrap() {
        assert_eq!(
            input.read().is_ok_and(|bytes| bytes == sort),
            input.problem.is_none()
        );
    }
}

/// The library that reads a zip shows one member per name.
#[test]
fn members_of_one_name_in_a_zip_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = zip_of(&[
        ("a.dxil", shader("algorithms/bitonic_sort.dxil")),
        ("b.dxil", shader("algorithms/crc32.dxil")),
        ("readme.txt", Vec::new()),
        ("license.md", Vec::new()),
    ]);
    let renamed: [(&[u8], &[u8]); 2] = [(b"b.dxil", b"a.dxil"), (b"license.md", b"readme.txt")];
    for (from, to) in renamed {
        for at in 0..bytes.len() - from.len() {
            if bytes[at..].starts_with(from) {
                bytes[at..at + from.len()].copy_from_slice(to);
            }
        }
    }
    let path = write(folder.path(), "a.zip", &bytes);
    let (files, totals, shaders) = convert(&path, 2);
    assert_eq!(totals.converted, 1);
    assert!(is_output(&files, "a", "a"));
    assert_eq!(failures(&shaders), [("a.dxil", Kind::Name)]);
}

/// Headers of members are in memory as a whole: a name of gigabytes fits in a small file.
#[test]
fn a_name_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tar = |length: usize| {
        let mut tar = tar::Builder::new(Vec::new());
        let name = vec![b'a'; length];
        let files = [
            (tar::EntryType::Regular, vec![0; 3 << 20]),
            (tar::EntryType::GNULongName, name),
            (tar::EntryType::Regular, shader("algorithms/crc32.dxil")),
        ];
        for (kind, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            tar.append(&header, bytes.as_slice()).unwrap();
        }
        tar.into_inner().unwrap()
    };
    let listed = |length| {
        let path = write(folder.path(), "a.tar.zst", &zstd(&tar(length)));
        collect(&[path], &Filter::default())
    };
    assert_eq!(listed(5000).unwrap()[0].relative.len(), 5000);
    let error = listed(2 << 20).unwrap_err().to_string();
    assert!(
        error.ends_with("a member's description has more than 1048576 bytes"),
        "{error}"
    );
}

#[test]
fn shards_are_a_partition_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for i in 0..40 {
        write(
            at,
            &format!("{i}.dxil"),
            format!("DXBC{}", i % 20).as_bytes(),
        );
    }
    let inputs = collect(&[at.to_owned()], &Filter::default()).unwrap();
    let mut names: Vec<Vec<String>> = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let mut settings = Settings::default();
        settings.shard = Some(shard.parse().unwrap());
        let backend = Backend::new(Options::default());
        let (totals, shaders) = run(&inputs, &backend, &settings, &|_| {}).unwrap();
        assert_eq!(totals.other_shards as usize + shaders.len(), 40);
        names.push(shaders.into_iter().map(|shader| shader.input).collect());
    }
    let mut all: Vec<&String> = names.iter().flatten().collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 40, "each is in one part");
    // Equal contents are in one part.
    for i in 0..20 {
        let ends = |name: &str, i: usize| name.ends_with(&format!("/{i}.dxil"));
        let part = |i| {
            names
                .iter()
                .position(|part| part.iter().any(|n| ends(n, i)))
        };
        assert_eq!(part(i), part(i + 20), "{i}");
    }
}

/// An archive may have two members of one name; each has its own page.
#[test]
fn members_of_one_name_have_details_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.tar");
    let members = [
        ("a.dxil", shader("algorithms/bitonic_sort.dxil")),
        ("a.dxil", shader("algorithms/crc32.dxil")),
    ];
    fs::write(&path, tar_of(&members)).unwrap();
    let inputs = collect(&[path], &Filter::default()).unwrap();
    let backend = Backend::new(Options::default());
    let (totals, mut spool) =
        run_spooled(&inputs, &backend, &Settings::default(), &|_| {}).unwrap();
    let (shaders, of_input) = spool.collect_with_inputs().unwrap();
    assert_eq!((shaders.len(), of_input.as_slice()), (2, [0, 1].as_slice()));
    assert_eq!(shaders[0].input, shaders[1].input);
    let summary = Summary {
        version: "1".into(),
        target: "vulkan1.3".into(),
        validator: Validator::Trellis,
        totals,
    };
    let report = summary.with(shaders);
    let details = details::collect(
        &inputs,
        &backend,
        &report,
        &of_input,
        Amount::All,
        Some(2),
        &|| (),
    );
    let details = details.unwrap();
    assert!(!details.operations[0].is_empty());
    assert_ne!(details.operations[0], details.operations[1]);
    assert_ne!(details.pages[&0], details.pages[&1]);
}
