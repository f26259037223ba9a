//! The function of the backend that lowers an operation, found in its sources.
//!
//! `ops/mod.rs` dispatches each family to a module; the operation's name in a `match` of that
//! module's files is in the function. Operations that lowering folds into their uses are found in the
//! folders of [`FOLDERS`]. A family that is handled as a whole has the function of the dispatch.

use std::collections::BTreeMap;
use std::path::Path;

use trellis_dxil_frontend::dxop::Op;

/// Where operations are named that no module of `ops` handles, in the order of the search.
const FOLDERS: [&str; 6] = [
    "lower/",
    "legalize/",
    "resources/",
    "interface/",
    "emit/",
    "ops/",
];

/// The backend's sources: path below `src`, contents.
pub(super) struct Sources(BTreeMap<String, String>);

impl Sources {
    /// Reads all files of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let mut files = BTreeMap::new();
        let mut pending = vec![(folder.to_owned(), String::new())];
        while let Some((folder, prefix)) = pending.pop() {
            let at = |error| format!("{}: {error}", folder.display());
            for entry in std::fs::read_dir(&folder).map_err(at)? {
                let path = entry.map_err(at)?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let name = format!("{prefix}{name}");
                if path.is_dir() {
                    pending.push((path, format!("{name}/")));
                } else if name.ends_with(".rs") {
                    let text = std::fs::read_to_string(&path)
                        .map_err(|error| format!("{}: {error}", path.display()))?;
                    files.insert(name, text);
                }
            }
        }
        Ok(Self(files))
    }

    /// Returns the file and the function that lower `op`, if the sources name it.
    pub(super) fn lowered_by(&self, op: Op) -> Option<String> {
        let variant = format!("{op:?}");
        let (family, dispatch) = self.dispatch(op)?;
        let own = format!("{family}Op::{variant}");
        if let Some((module, function)) = dispatch {
            let (file, folder) = (format!("{module}.rs"), format!("{module}/"));
            let files = || self.files(|path| path == file || path.starts_with(&folder));
            let named = find(files(), &own).or_else(|| find(files(), &format!("::{variant}")));
            let whole = files()
                .map(|(path, _)| format!("{path}: {function}"))
                .next();
            return named.or(whole);
        }
        FOLDERS.into_iter().find_map(|folder| {
            let files = || self.files(|path| path.starts_with(folder));
            find(files(), &own).or_else(|| find(files(), &format!("Op::{variant}")))
        })
    }

    /// Returns the family of `op`, and the module and function that `ops/mod.rs` calls for it; `None`
    /// in their place for a family that is not emitted.
    fn dispatch(&self, op: Op) -> Option<(String, Option<(String, String)>)> {
        // `Math(FAbs)`
        let classified = format!("{:?}", op.classify());
        let (family, _) = classified.split_once('(')?;
        let arm = format!("FamilyOp::{family}(op) => ");
        let text = self.0.get("ops/mod.rs")?;
        let call = text.split_once(&arm).and_then(|(_, rest)| {
            let (module, function) = rest.split_once('(')?.0.split_once("::")?;
            let folder = ["ops/", ""].into_iter().find(|folder| {
                let is = |name: &String| self.0.contains_key(name);
                is(&format!("{folder}{module}.rs")) || is(&format!("{folder}{module}/mod.rs"))
            })?;
            Some((format!("{folder}{module}"), function.to_owned()))
        });
        Some((family.to_owned(), call))
    }

    fn files(&self, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, &str)> {
        { self.0.iter() }
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .filter(move |(path, _)| wanted(path) && !path.ends_with("tests.rs"))
    }
}

/// Returns the file and the function in which `name` is, as a whole identifier.
fn find<'s>(files: impl Iterator<Item = (&'s str, &'s str)>, name: &str) -> Option<String> {
    files.into_iter().find_map(|(path, text)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let at = { text.match_indices(name) }
            .map(|(at, _)| at)
            .find(|at| !text[at + name.len()..].starts_with(is_part))?;
        let before = text.get(..at)?;
        // `fn name(`, `fn name<'a>(`
        let (_, rest) = before.rsplit_once("fn ")?;
        let function = rest.split(|c| !is_part(c)).next()?;
        Some(format!("{path}: {function}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_their_functions() {
        let files = [
            (
                "ops/mod.rs",
                "FamilyOp::Bit(op) => bits::emit(e, op),\nFamilyOp::Quad(op) => quad::emit(e, op),\nFamilyOp::Handle(_) => {}",
            ),
            (
                "ops/bits.rs",
                "fn emit() { BitOp::FirstbitLoX => 1 }\nfn other() { B::FirstbitLo => 2 }",
            ),
            ("ops/quad.rs", "fn emit() {}"),
            ("lower/fold.rs", "fn fold<'a>() { Op::CreateHandle }"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let sources = Sources(files.into_iter().collect());
        let found = |op| sources.lowered_by(op);
        assert_eq!(found(Op::FirstbitLo).as_deref(), Some("ops/bits.rs: other"));
        assert_eq!(found(Op::QuadOp).as_deref(), Some("ops/quad.rs: emit"));
        assert_eq!(
            found(Op::CreateHandle).as_deref(),
            Some("lower/fold.rs: fold")
        );
        assert_eq!(found(Op::AnnotateHandle), None);
        assert_eq!(found(Op::Reserved0), None);
    }
}
