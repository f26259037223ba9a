//! Tests of the cache's files with a converter of text.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use trellis_dxil::error::ErrorKind;
use trellis_dxil::frontend::shader::ShaderKind;
use trellis_dxil::structurizer::Counters;
use trellis_dxil::{Entry, Output};

use super::{Cache, CacheSettings, TEMPORARY, decode, remove_abandoned};
use crate::converter::{Converted, Converter, Opened, Worker};
use crate::failure::{Failure, Kind};
use crate::record;

/// Converts a text to an entry point per word, and counts how often it did. The word `bad` fails,
/// `io` fails in another way each time, `panic` panics; an empty text is not read, `?` neither.
#[derive(Default)]
struct Words {
    name: &'static str,
    opened: AtomicUsize,
}

struct Text(Vec<String>);

impl Converter for Words {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }

    fn identity(&self) -> Option<String> {
        (self.name != "none").then(|| self.name.to_owned())
    }
}

impl Worker for &Words {
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        self.opened.fetch_add(1, Ordering::Relaxed);
        match bytes {
            b"" => Err(Failure::new(ErrorKind::Read, "empty")),
            b"?" => Err(Failure::new(Kind::Io, "try again")),
            _ => {
                let text = std::str::from_utf8(bytes).unwrap();
                Ok(Box::new(Text(
                    text.split_whitespace().map(str::to_owned).collect(),
                )))
            }
        }
    }
}

impl Opened for Text {
    fn entries(&self) -> Vec<Entry> {
        let names = self.0.iter().cloned();
        let stage = ShaderKind::Mesh;
        names.map(|name| Entry { name, stage }).collect()
    }

    fn is_library(&self) -> bool {
        true
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        match self.0[entry].as_str() {
            "bad" => Err(Failure::new(ErrorKind::Unsupported, "bad")),
            "io" => Err(Failure::new(Kind::Io, "no space")),
            "panic" => panic!("panic"),
            name => {
                let words = name.bytes().map(|byte| u32::from(byte) << 20).collect();
                let mut output = Output::new(words, format!("{name}@"), ShaderKind::Mesh);
                output.structurizer = Counters::from_fn(|counter| counter.len() as u64);
                output.patch_location = Some(7);
                Ok(Converted {
                    output,
                    not_validated: (name == "new").then(|| "too new".to_owned()),
                })
            }
        }
    }
}

fn cache(folder: &Path, converter: &Words) -> Cache {
    let settings = CacheSettings {
        folder: folder.to_owned(),
        program: "test".to_owned(),
        limit: None,
    };
    Cache::open(&settings, converter).unwrap()
}

/// All that a file gives, in words, and whether it came from the cache.
fn read(cache: &Cache, converter: &Words, text: &[u8]) -> (String, bool) {
    let mut worker = converter;
    let (opened, cached) = cache.read(text, &mut worker);
    let text = opened.map(|mut opened| {
        let entries = opened.entries();
        let mut text = format!("{} {entries:?}", opened.is_library());
        for number in 0..entries.len() {
            let result = crate::guard::guarded(|| opened.convert(number));
            text += &format!("\n{result:?}");
        }
        opened.close();
        text
    });
    (format!("{text:?}"), cached)
}

/// Returns the files of a cache.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

#[test]
fn a_hit_gives_what_the_conversion_gave() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let texts: [&[u8]; 6] = [
        b"",
        b" ",
        b"one",
        b"one bad new",
        b"bad bad",
        b"new one new",
    ];
    let cache = cache(folder.path(), &converter);
    for text in texts {
        let (made, cached) = read(&cache, &converter, text);
        assert!(!cached);
        assert_eq!(read(&cache, &converter, text), (made, true));
    }
    assert_eq!(converter.opened.into_inner(), texts.len());
    let files = files(folder.path());
    assert_eq!(files.len(), texts.len(), "no temporary file is left");
    for file in files {
        let names = file.strip_prefix(folder.path()).unwrap().components();
        let lengths: Vec<usize> = names.map(|name| name.as_os_str().len()).collect();
        assert_eq!(lengths, [2, 62]);
    }
    assert_eq!(cache.finish(), None);
}

#[test]
fn what_may_not_happen_again_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let cache = cache(folder.path(), &converter);
    for text in ["?", "one io two", "one panic", "io"] {
        assert!(!read(&cache, &converter, text.as_bytes()).1);
        assert!(!read(&cache, &converter, text.as_bytes()).1);
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn the_key_has_all_that_results_depend_on() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    read(&cache(folder.path(), &converter), &converter, b"one");
    let other = Words {
        name: "other",
        ..Words::default()
    };
    assert!(!read(&cache(folder.path(), &other), &other, b"one").1);
    let settings = CacheSettings {
        folder: folder.path().to_owned(),
        program: "another".to_owned(),
        limit: None,
    };
    let program = Cache::open(&settings, &converter).unwrap();
    assert!(!read(&program, &converter, b"one").1);
    assert!(!read(&cache(folder.path(), &converter), &converter, b"ones").1);
    assert!(read(&cache(folder.path(), &converter), &converter, b"one").1);
    let unnamed = Words {
        name: "none",
        ..Words::default()
    };
    let error = Cache::open(&settings, &unnamed).err().unwrap();
    assert!(error.contains("has no name"), "{error}");
}

#[test]
fn damaged_files_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let cache = cache(folder.path(), &converter);
    let (made, _) = read(&cache, &converter, b"one bad");
    read(&cache, &converter, b"two");
    let key = cache.common.clone().update(b"one bad").finalize();
    let other = cache.common.clone().update(b"two").finalize();
    let path = cache.path(&key);
    let whole = fs::read(&path).unwrap();
    let mut damaged: Vec<Vec<u8>> = (0..whole.len())
        .map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            bytes
        })
        .collect();
    damaged.extend((0..whole.len()).map(|size| whole[..size].to_vec()));
    damaged.push([whole.as_slice(), b"more"].concat());
    // That of another input is not taken, either.
    damaged.push(fs::read(cache.path(&other)).unwrap());
    for (i, bytes) in damaged.iter().enumerate() {
        assert!(record::decode(&key, bytes).is_none(), "{i}");
    }
    for bytes in damaged.iter().step_by(97).chain(damaged.last()) {
        fs::write(&path, bytes).unwrap();
        assert_eq!(read(&cache, &converter, b"one bad"), (made.clone(), false));
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(read(&cache, &converter, b"one bad"), (made.clone(), true));
    }
}

/// Returns a file with a right checksum and this record.
fn forged(key: &super::Key, record: &str) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes()).update(record.as_bytes());
    let sum = hasher.finalize();
    [b"trellis cache 2\n", &sum.as_bytes()[..], record.as_bytes()].concat()
}

#[test]
fn a_right_checksum_does_not_make_a_record() {
    let key = blake3::hash(b"key");
    let entry = |words: &str, counter: &str| {
        format!(
            r#"{{"Ok":{{"library":false,"entries":[[{{"name":"a","stage":"mesh"}},{{
            "Ok":{{"words":"{words}","entry":"a","stage":"mesh","structurizer":{{"phis":{counter}}},
            "patch_location":null,"not_validated":null}}}}]]}}}}"#
        )
    };
    let is_read = |record: &str| decode(&key, &forged(&key, record)).is_some();
    assert!(is_read(&entry("", "3")) && is_read(&entry("AwIjBw==", "3")));
    // Not base64, and not whole words.
    for words in [
        "AwIjBw",
        "AwIjBwA=",
        "AwI=",
        "_wIjBw==",
        " AwIjBw==",
        "AwIj",
    ] {
        assert!(!is_read(&entry(words, "3")), "{words}");
    }
    assert!(!is_read(&entry("", "18446744073709551615")));
    assert!(!is_read(&entry("", "3").replace("mesh", "mush")));
    assert!(!is_read(&entry("", "3").replace("library", "other")));
    assert!(!is_read(&(entry("", "3") + "{}")));
    assert!(!is_read(&"[".repeat(100_000)));
    let panic = r#"{"Err":{"kind":"panic","message":""}}"#;
    assert!(!is_read(panic));
    assert!(is_read(&panic.replace("panic", "read")));
}

#[test]
fn a_cache_that_cannot_be_written_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let cache = cache(folder.path(), &converter);
    // As a full disk, whoever runs the test.
    fs::remove_dir(folder.path().join(TEMPORARY)).unwrap();
    fs::write(folder.path().join(TEMPORARY), "in the way").unwrap();
    assert!(!read(&cache, &converter, b"one").1);
    assert!(!read(&cache, &converter, b"two").1);
    let error = cache.finish().unwrap();
    assert!(error.starts_with("cannot write to the cache"), "{error}");
    let settings = CacheSettings {
        folder: folder.path().join(TEMPORARY),
        program: String::new(),
        limit: None,
    };
    let error = Cache::open(&settings, &converter).err().unwrap();
    assert!(error.starts_with("cannot write to the cache"), "{error}");
}

#[test]
fn what_killed_batches_left_is_in_nobodys_way() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let cache = cache(folder.path(), &converter);
    let of_this = folder.path().join(TEMPORARY);
    let of_this = of_this.join(format!("{}-0", std::process::id()));
    fs::write(&of_this, "half").unwrap();
    read(&cache, &converter, b"one");
    assert!(read(&cache, &converter, b"one").1);
    // It may belong to a running batch, unless it is old.
    remove_abandoned(of_this.parent().unwrap());
    assert!(of_this.exists());
    let file = fs::File::options().write(true).open(&of_this).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    remove_abandoned(of_this.parent().unwrap());
    assert!(!of_this.exists());
}

#[test]
fn threads_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let caches = [
        cache(folder.path(), &converter),
        cache(folder.path(), &converter),
    ];
    let expected = read(&caches[0], &converter, b"one two").0;
    fs::remove_dir_all(folder.path()).unwrap();
    fs::create_dir_all(folder.path().join(TEMPORARY)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (cache, converter, expected) = (&caches[thread % 2], &converter, &expected);
            scope.spawn(move || {
                for i in 0..50 {
                    assert_eq!(read(cache, converter, b"one two").0, *expected);
                    read(cache, converter, format!("x{}", i % 10).as_bytes());
                }
            });
        }
    });
    assert_eq!(files(folder.path()).len(), 11);
    assert!(caches.into_iter().all(|cache| cache.finish().is_none()));
}

#[test]
fn a_use_renews_a_file_that_is_an_hour_old() {
    let folder = tempfile::tempdir().unwrap();
    let converter = Words::default();
    let settings = CacheSettings {
        folder: folder.path().to_owned(),
        program: "test".to_owned(),
        limit: Some(400),
    };
    let open = || Cache::open(&settings, &converter).unwrap();
    let first = open();
    let texts: [&[u8]; 3] = [b"one", b"two", b"three"];
    for text in texts {
        assert!(!read(&first, &converter, text).1);
    }
    let age = |seconds| SystemTime::now() - Duration::from_secs(seconds);
    for file in files(folder.path()) {
        let file = fs::File::options().write(true).open(file).unwrap();
        file.set_modified(age(7200)).unwrap();
    }
    assert!(read(&first, &converter, b"two").1);
    let recent = files(folder.path()).into_iter().filter(|file| {
        let modified = fs::metadata(file).unwrap().modified().unwrap();
        modified > age(60)
    });
    assert_eq!(recent.count(), 1);
    // The three have 200 to 400 bytes each.
    assert_eq!(first.finish(), None);
    let second = open();
    assert!(read(&second, &converter, b"two").1);
    assert!(!read(&second, &converter, b"one").1);
}
