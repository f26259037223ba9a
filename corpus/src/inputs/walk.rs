//! The shaders below a folder.

use std::fs::File;
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR, Path, is_separator};

use trellis_dxil::frontend::is_dxil;
use walkdir::{DirEntry, WalkDir};

use super::{Filter, Input, NOT_UTF8, is_named_shader};
use crate::failure::Kind;

/// Returns all shaders below `root`, sorted by their relative paths, and entries that cannot be
/// read as inputs with a problem.
pub(super) fn walk(root: &Path, filter: &Filter) -> Vec<Input> {
    let mut found: Vec<Input> = WalkDir::new(root)
        .min_depth(1)
        .follow_links(!filter.skips_links)
        .into_iter()
        .filter_map(|entry| match entry {
            Ok(entry) => of_entry(root, entry, filter),
            Err(error) => Some(of_error(root, &error)),
        })
        .collect();
    found.sort_by(|a, b| (&a.relative, &a.path).cmp(&(&b.relative, &b.path)));
    found
}

/// Returns an input for a file if it is a shader, or cannot be looked at.
fn of_entry(root: &Path, entry: DirEntry, filter: &Filter) -> Option<Input> {
    if !entry.file_type().is_file() {
        return None;
    }
    let path = entry.into_path();
    // A file is opened here only if its name does not tell its kind: all threads wait for the list.
    if !is_named_shader(&path) && !filter.takes_also(&path) {
        match start_of(&path) {
            Ok(start) if is_dxil(&start) => {}
            Ok(_) => return None,
            Err(error) => {
                let message = format!("cannot read the file: {error}");
                return Some(lossy(root, &path).with_problem(Kind::Io, message));
            }
        }
    }
    Some(match below(root, &path) {
        Some(relative) => Input::file(path, relative),
        None => lossy(root, &path).with_problem(Kind::Name, NOT_UTF8),
    })
}

/// Returns a path below a folder with `/` between its parts, if that is UTF-8.
fn below(root: &Path, path: &Path) -> Option<String> {
    // A walk appends names to the folder's path as it was written: its parts are not looked at, as there
    // may be very many files.
    let (path, root) = (path.as_os_str(), root.as_os_str());
    let below = path.as_encoded_bytes();
    let below = below.strip_prefix(root.as_encoded_bytes())?;
    let below = std::str::from_utf8(below).ok()?;
    let below = below.trim_start_matches(is_separator);
    Some(match MAIN_SEPARATOR {
        '/' => below.to_owned(),
        separator => below.replace(separator, "/"),
    })
}

fn of_error(root: &Path, error: &walkdir::Error) -> Input {
    let input = lossy(root, error.path().unwrap_or(root));
    match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => input.with_problem(
            Kind::Link,
            format!("the link leads to {}, which it is in", ancestor.display()),
        ),
        (_, Some(io)) if io.kind() == io::ErrorKind::NotFound => {
            input.with_problem(Kind::Link, "the link leads nowhere")
        }
        (_, Some(io)) => input.with_problem(Kind::Io, format!("cannot read: {io}")),
        (None, None) => input.with_problem(Kind::Io, "cannot read"),
    }
}

/// Returns an input with its path below a folder, parts that are not UTF-8 replaced.
fn lossy(root: &Path, path: &Path) -> Input {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    Input::file(path, parts.join("/"))
}

/// Returns the first bytes of a file.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(4);
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(start)
}
