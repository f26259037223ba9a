//! The modules of a crate are layers: a module imports only modules that come before it in the table of
//! ARCHITECTURE.md, so that no two import each other and each can be read without those after it.

#![allow(clippy::expect_used, reason = "tests say what they expect")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One import: the file and line, and the module that it names.
struct Import {
    place: String,
    module: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the top-level modules of a crate in the order of its table in ARCHITECTURE.md.
fn layers(krate: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let heading = format!("\n## {krate}\n");
    let (_, section) = text.split_once(&heading).expect("a section of the crate");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    rows.map(|(module, _)| {
        module
            .trim_end_matches(['/'])
            .trim_end_matches(".rs")
            .to_owned()
    })
    .collect()
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of sources")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") && !path.ends_with("tests.rs") {
            out.push(path);
        }
    }
}

/// Returns the code of a file: without comments and without its tests.
fn code(text: &str) -> Vec<&str> {
    let (code, _) = text
        .split_once("\n#[cfg(test)]\nmod ")
        .unwrap_or((text, ""));
    let lines = code.lines();
    lines
        .map(|line| match line.trim_start().starts_with("//") {
            true => "",
            false => line.split(" //").next().unwrap_or_default(),
        })
        .collect()
}

/// Returns the identifier at the start of `text`.
fn identifier(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// Names that lib.rs re-exports, with the module that has them.
fn reexports(root: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(root.join("lib.rs")).expect("lib.rs");
    let mut names = BTreeMap::new();
    for statement in code(&text).join(" ").split(';') {
        let Some((_, path)) = statement.split_once("pub use ") else {
            continue;
        };
        let module = identifier(path).to_owned();
        for name in path.split(|c: char| !c.is_alphanumeric() && c != '_') {
            names.insert(name.to_owned(), module.clone());
        }
    }
    names
}

/// Returns all imports of other top-level modules, by module.
fn imports(root: &Path) -> BTreeMap<String, Vec<Import>> {
    let exported = reexports(root);
    let mut list = Vec::new();
    files(root, &mut list);
    let mut found: BTreeMap<String, Vec<Import>> = BTreeMap::new();
    for path in list {
        let inside = path.strip_prefix(root).expect("a file of src");
        let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
        let Some(module) = parts.first().map(|part| part.trim_end_matches(".rs")) else {
            continue;
        };
        if module == "lib" {
            continue;
        }
        // `super` as often as this leads to the crate's root.
        let file_is_parent = parts.last() == Some(&"mod.rs");
        let depth = parts.len() - usize::from(file_is_parent);
        let to_root = "super::".repeat(depth);
        let text = fs::read_to_string(&path).expect("a file of src");
        let imports = found.entry(module.to_owned()).or_default();
        for (line, text) in (1..).zip(code(&text)) {
            for prefix in ["crate::", &to_root] {
                for (at, _) in text.match_indices(prefix) {
                    let before = text[..at].chars().next_back();
                    if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                        continue;
                    }
                    let rest = &text[at + prefix.len()..];
                    assert!(
                        !rest.starts_with(['{', '*']),
                        "{}:{line}: import one module per `use`",
                        inside.display()
                    );
                    let name = identifier(rest);
                    let target = exported.get(name).map_or(name, String::as_str);
                    if target != module {
                        imports.push(Import {
                            place: format!("{}:{line}", inside.display()),
                            module: target.to_owned(),
                        });
                    }
                }
            }
        }
    }
    found
}

fn check(krate: &str) {
    let layers = layers(krate);
    let order: BTreeMap<&str, usize> = layers.iter().map(String::as_str).zip(0..).collect();
    let imports = imports(&repository().join(krate).join("src"));
    let modules: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    let listed: BTreeSet<&str> = order.keys().copied().collect();
    assert_eq!(
        modules, listed,
        "ARCHITECTURE.md lists each top-level module of {krate}"
    );
    let mut wrong = Vec::new();
    for (module, imports) in &imports {
        for import in imports {
            match order.get(import.module.as_str()) {
                Some(layer) if *layer < order[module.as_str()] => {}
                Some(_) => wrong.push(format!(
                    "{}: `{module}` imports `{}`, which is a later layer",
                    import.place, import.module
                )),
                None => wrong.push(format!("{}: unknown `{}`", import.place, import.module)),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "move what is shared to an earlier module:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn modules_of_the_structurizer_import_earlier_layers_only() {
    check("structurizer");
}

#[test]
fn modules_of_the_backend_import_earlier_layers_only() {
    check("spirv-backend");
}
