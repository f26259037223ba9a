//! The documentation is compared with the repository.
//!
//! The tests read the pages of `docs/` and every README. A path, in a link or in backticks, must
//! exist; an identifier in backticks on a page of `docs/howto` must occur in the sources; and the
//! summary must list every page. They do not check the statements of a page about a path or a name,
//! and they skip code blocks.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Extensions of files that documentation may name.
const EXTENSIONS: [&str; 16] = [
    "rs", "js", "css", "html", "md", "toml", "csv", "cfg", "hlsl", "sh", "svg", "txt", "yml", "c",
    "ll", "json",
];

/// Returns the files below `folder` whose extension is one of `extensions`, sorted.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut list = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_str().unwrap();
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && name != "target" {
                    pending.push(path);
                }
            } else if extensions.iter().any(|e| name.ends_with(&format!(".{e}"))) {
                list.push(path);
            }
        }
    }
    list.sort();
    list
}

/// Returns the pages whose paths are checked: all but the history and generated reports.
fn pages() -> Vec<PathBuf> {
    files(&root(), &["md"])
        .into_iter()
        .filter(|path| !path.ends_with("CHANGELOG.md"))
        .collect()
}

/// Text in backticks and targets of links, outside of code blocks, each with its line.
#[derive(Default)]
struct Names {
    code: Vec<(usize, String)>,
    links: Vec<(usize, String)>,
}

fn names(text: &str) -> Names {
    let mut names = Names::default();
    let mut fence = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            fence = !fence;
            continue;
        }
        if fence || line.starts_with("    ") {
            continue;
        }
        // Odd parts are between backticks.
        for (index, part) in line.split('`').enumerate() {
            if index % 2 == 1 {
                names.code.push((number, part.to_owned()));
            }
        }
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                names.links.push((number, target.to_owned()));
            }
        }
    }
    names
}

/// Returns whether text in backticks is a path: it has a known extension, or begins with a
/// folder of the repository's root.
fn is_path(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let suffix = text.starts_with('.') && !text.contains('/');
    // Build outputs of cargo may be missing.
    let built = text.starts_with("target/");
    if !text.chars().all(plain) || text.starts_with(['/', '-']) || suffix || built {
        return false;
    }
    // `NAME.dxil`, `seed_N.cfg`; but `README.md` is a file.
    let files = [
        "README",
        "ARCHITECTURE",
        "CONTRIBUTING",
        "CHANGELOG",
        "SUMMARY",
    ];
    let placeholder = text.split(['/', '.', '_']).any(|part| {
        let upper = !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase());
        upper && !files.contains(&part)
    });
    if placeholder {
        return false;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    let known = name
        .rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && EXTENSIONS.contains(&extension));
    known
        || text.split_once('/').is_some_and(|(first, rest)| {
            !rest.is_empty() && !first.is_empty() && root().join(first).is_dir()
        })
}

/// Returns the folders of all crates.
fn crates() -> Vec<PathBuf> {
    files(&root(), &["toml"])
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .filter(|folder| *folder != root())
        .collect()
}

/// Returns the folders to which a page's paths may be relative: the repository's root, the
/// page's own folder, and the folders of its crate; on pages about all crates, of each crate.
fn bases(page: &Path, crates: &[PathBuf]) -> Vec<PathBuf> {
    let folder = page.parent().unwrap();
    let mut list = vec![root(), folder.to_path_buf()];
    let own = crates.iter().any(|path| *path == folder);
    for path in crates.iter().filter(|path| !own || **path == folder) {
        for inner in ["", "src", "tests", "tests/it"] {
            list.push(path.join(inner));
        }
    }
    list
}

/// Returns the paths in backticks that do not exist. A bare file name may also be in the folder
/// of the path before it on the same line: "`passes/a.rs`, `b.rs`".
fn missing_paths(code: &[(usize, String)], bases: &[PathBuf]) -> Vec<(usize, String)> {
    let mut missing = Vec::new();
    let mut before: Option<(usize, PathBuf)> = None;
    for (line, text) in code.iter().filter(|(_, text)| is_path(text)) {
        let sibling = before
            .as_ref()
            .filter(|(number, _)| number == line && !text.contains('/'))
            .map(|(_, folder)| folder.join(text));
        // First, since another crate may have a file of that name.
        let found = sibling
            .into_iter()
            .chain(bases.iter().map(|base| base.join(text)))
            .find(|path| path.exists());
        match found {
            Some(path) => {
                before = path.parent().map(|folder| (*line, folder.to_path_buf()));
            }
            None => missing.push((*line, text.clone())),
        }
    }
    missing
}

#[test]
fn every_path_exists() {
    let mut missing = Vec::new();
    let crates = crates();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let names = names(&text);
        for (line, text) in missing_paths(&names.code, &bases(&page, &crates)) {
            missing.push(format!("{}:{line}: `{text}`", page.display()));
        }
        for (line, target) in &names.links {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            if !page.parent().unwrap().join(path).exists() {
                missing.push(format!("{}:{line}: ({target})", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no such file:\n{}", missing.join("\n"));
}

#[test]
fn every_name_on_a_how_to_page_occurs_in_the_sources() {
    let mut words = BTreeSet::new();
    for file in files(
        &root(),
        &["rs", "js", "csv", "toml", "md", "hlsl", "sh", "cfg"],
    ) {
        if file.starts_with(root().join("docs")) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        words.extend(text.split(word).map(str::to_owned));
    }
    let mut missing = Vec::new();
    for page in files(&root().join("docs/howto"), &["md"]) {
        let text = fs::read_to_string(&page).unwrap();
        for (line, name) in names(&text).code {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_:!()".contains(c);
            if !name.chars().all(plain) {
                continue;
            }
            let parts = name.split([':', '!', '(', ')']).filter(|p| !p.is_empty());
            for part in parts.filter(|part| !words.contains(*part)) {
                missing.push(format!("{}:{line}: `{part}` in `{name}`", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no such name:\n{}", missing.join("\n"));
}

#[test]
fn the_summary_lists_every_page() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = names(&summary)
        .links
        .into_iter()
        .map(|(_, target)| docs.join(target))
        .collect();
    let pages: BTreeSet<PathBuf> = files(&docs, &["md"])
        .into_iter()
        .filter(|page| !page.ends_with("SUMMARY.md"))
        .collect();
    assert_eq!(listed, pages);
}

#[test]
fn the_readme_s_table_names_every_crate() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let missing: Vec<PathBuf> = crates()
        .into_iter()
        .filter_map(|folder| folder.strip_prefix(root()).map(Path::to_path_buf).ok())
        .filter(|folder| !readme.contains(&format!("]({})", folder.display())))
        .collect();
    assert!(missing.is_empty(), "the README does not name {missing:?}");
}

#[test]
fn names_are_found_outside_of_code_blocks() {
    let names = names("a `x.rs` and [y](z.md#part)\n```\n`no.rs`\n```\n    `no.rs`\n`b`");
    assert_eq!(names.code, [(1, "x.rs".to_owned()), (6, "b".to_owned())]);
    assert_eq!(names.links, [(1, "z.md#part".to_owned())]);
    assert!(is_path("README.md") && is_path("docs/glossary.md") && is_path("lower.rs"));
    assert!(!is_path("NAME.run.json") && !is_path("and/or") && !is_path("--seeds"));
    assert!(!is_path("target/release") && is_path("xtask/src"));
}
