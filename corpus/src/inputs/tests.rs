//! Tests of the lists of inputs.

use std::fs;
use std::path::PathBuf;

use super::{Filter, Input, InputError};
use crate::failure::Kind;

fn collect(arguments: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    super::collect(arguments, &Filter::default())
}

/// Creates the files in a new temporary folder; the contents are a shader only where the test
/// specifies it.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

fn names(arguments: &[PathBuf]) -> Vec<String> {
    collect(arguments)
        .unwrap()
        .into_iter()
        .map(|input| input.relative)
        .collect()
}

#[test]
fn a_folder_gives_only_its_shaders_sorted() {
    let files: &[(&str, &[u8])] = &[
        ("z.dxil", b"whatever"),
        ("a/b.CSO", b""),
        ("a/c.txt", b"text"),
        ("a/container", b"DXBC...."),
        ("a/raw.bin", b"BC\xc0\xde"),
        ("a/wrapped.bin", b"\xde\xc0\x17\x0b"),
        ("a/short.bin", b"DX"),
        ("a.dxil", b""),
    ];
    let folder = folder(files);
    assert_eq!(
        names(&[folder.path().to_owned()]),
        [
            "a.dxil",
            "a/b.CSO",
            "a/container",
            "a/raw.bin",
            "a/wrapped.bin",
            "z.dxil"
        ]
    );
}

#[test]
fn several_folders_give_distinct_paths() {
    let folder = folder(&[("one/x.dxil", b""), ("two/x.dxil", b""), ("y.bin", b"")]);
    let at = |name: &str| folder.path().join(name);
    assert_eq!(
        names(&[at("two"), at("y.bin"), at("one")]),
        ["two/x.dxil", "y.bin", "one/x.dxil"]
    );
    assert_eq!(names(&[at("two"), at("y.bin")]), ["x.dxil", "y.bin"]);
}

#[test]
fn a_manifest_gives_its_shaders() {
    let text = br#"{"shaders": [{"path": "b/x.dxil", "source": "b/x.hlsl", "stage": "pixel", "profile": "ps_6_0", "entry": "main", "options": [], "about": "x"}]}"#;
    let folder = folder(&[("m.json", text)]);
    let inputs = collect(&[folder.path().join("m.json")]).unwrap();
    assert_eq!(inputs.len(), 1);
    assert_eq!(inputs[0].relative, "b/x.dxil");
    assert_eq!(inputs[0].path, folder.path().join("b/x.dxil"));
    assert_eq!(inputs[0].expected.as_ref().unwrap().entry, "main");
}

#[test]
fn missing_empty_and_malformed_inputs_are_errors() {
    let folder = folder(&[
        ("m.json", b"{}"),
        ("none/a.txt", b""),
        ("empty.json", br#"{"shaders": []}"#),
    ]);
    let at = |name: &str| [folder.path().join(name)];
    assert!(matches!(
        collect(&at("nowhere")),
        Err(InputError::Io { .. })
    ));
    assert!(matches!(
        collect(&at("m.json")),
        Err(InputError::Manifest { .. })
    ));
    assert!(matches!(
        collect(&at("none")),
        Err(InputError::Empty { .. })
    ));
    assert!(matches!(
        collect(&at("empty.json")),
        Err(InputError::Empty { .. })
    ));
}

/// Returns the relative path of each input, and its kind of problem.
fn problems(inputs: &[Input]) -> Vec<(&str, Option<Kind>)> {
    let problem = |input: &Input| input.problem.as_ref().map(|problem| problem.kind);
    let all = inputs.iter();
    all.map(|input| (input.relative.as_str(), problem(input)))
        .collect()
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_are_named() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[("a/x.dxil", b""), ("b/y.dxil", b"")]);
    symlink(folder.path(), folder.path().join("a/up")).unwrap();
    symlink(folder.path().join("b"), folder.path().join("a/side")).unwrap();
    let nowhere = folder.path().join("nowhere");
    symlink(nowhere, folder.path().join("a/dangling.dxil")).unwrap();
    let inputs = collect(&[folder.path().to_owned()]).unwrap();
    assert_eq!(
        problems(&inputs),
        [
            ("a/dangling.dxil", Some(Kind::Link)),
            ("a/side/y.dxil", None),
            ("a/up", Some(Kind::Link)),
            ("a/x.dxil", None),
            ("b/y.dxil", None),
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_if_so_wished() {
    use std::os::unix::fs::symlink;
    let list = br#"{"shaders": [{"path": "a/x.dxil"}, {"path": "b/x.dxil"}, {"path": "y.dxil"}]}"#;
    let folder = folder(&[("a/x.dxil", b""), ("m.json", list)]);
    symlink(folder.path().join("a"), folder.path().join("b")).unwrap();
    symlink(folder.path().join("a/x.dxil"), folder.path().join("y.dxil")).unwrap();
    let filter = Filter::default().without_links();
    let collect = |path| super::collect(&[path], &filter).unwrap();
    let inputs = collect(folder.path().to_owned());
    assert_eq!(problems(&inputs), [("a/x.dxil", None)]);
    let inputs = collect(folder.path().join("m.json"));
    let link = Some(Kind::Link);
    let expected = [("a/x.dxil", None), ("b/x.dxil", link), ("y.dxil", link)];
    assert_eq!(problems(&inputs), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[("a.dxil", b"")]);
    let name = std::ffi::OsStr::from_bytes(b"b\xff.dxil");
    fs::write(folder.path().join(name), b"DXBC").unwrap();
    let inputs = collect(&[folder.path().to_owned()]).unwrap();
    assert_eq!(
        problems(&inputs),
        [("a.dxil", None), ("b\u{fffd}.dxil", Some(Kind::Name))]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_argument_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let files: &[(&str, &[u8])] = &[("a/x.dxil", b""), ("b/y.dxil", b"")];
    let folder = folder(files);
    let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    fs::write(at(b"f\xff.dxil"), b"").unwrap();
    fs::rename(at(b"b"), at(b"b\xff")).unwrap();
    let inputs = collect(&[at(b"f\xff.dxil"), at(b"a"), at(b"b\xff")]).unwrap();
    assert_eq!(
        problems(&inputs),
        [
            ("f\u{fffd}.dxil", Some(Kind::Name)),
            ("a/x.dxil", None),
            ("b\u{fffd}/y.dxil", Some(Kind::Name)),
        ]
    );
    // No output is named after the only folder.
    let inputs = collect(&[at(b"b\xff")]).unwrap();
    assert_eq!(problems(&inputs), [("y.dxil", None)]);
}

#[test]
fn a_filter_takes_some_of_a_folder() {
    let folder = folder(&[("a/x.dxil", b""), ("a/y.cso", b""), ("old/x.dxil", b"")]);
    let taken = |include: &[&str], exclude: &[&str]| {
        let filter = Filter::new(include, exclude).unwrap();
        super::collect(&[folder.path().to_owned()], &filter)
            .map(|inputs| inputs.into_iter().map(|i| i.relative).collect::<Vec<_>>())
    };
    assert_eq!(taken(&["*.dxil"], &["old/**"]).unwrap(), ["a/x.dxil"]);
    assert!(matches!(
        taken(&["*.none"], &[]),
        Err(InputError::Empty { .. })
    ));
}
