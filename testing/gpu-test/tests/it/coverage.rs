//! Every shader of the corpus, of each stage, has a test on a device, or a reason in
//! `untested.txt` why it has none.

use std::collections::BTreeSet;
use std::path::Path;

use gpu_test::case::TestFile;
use trellis_corpus::manifest::Manifest;

#[test]
fn shaders_without_a_test_have_a_reason() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shaders = here.join("../../corpus/shaders");
    let manifest = Manifest::load(&shaders.join("manifest.json")).unwrap();
    let stem = |path: &str| path.strip_suffix(".dxil").unwrap_or(path).to_owned();
    // A draw runs the shaders that it names, too.
    let mut tested = BTreeSet::new();
    for entry in &manifest.shaders {
        let path = shaders.join(format!("{}.run.json", stem(&entry.path)));
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let file = TestFile::from_json(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!file.cases.is_empty(), "{} has no case", path.display());
        let reasons = file.cases.iter().flat_map(|case| case.without.values());
        assert!(
            reasons.clone().all(|reason| !reason.starts_with('/')),
            "{}: a path of some machine in a reason",
            path.display()
        );
        tested.insert(stem(&entry.path));
        let folder = entry.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let of_draws = { file.cases.iter() }
            .filter_map(|case| case.draw.as_ref())
            .flat_map(|draw| &draw.stages);
        let of_rays = { file.cases.iter() }
            .filter_map(|case| case.rays.as_ref())
            .flat_map(|rays| &rays.libraries);
        for name in of_draws.chain(of_rays) {
            tested.insert(format!("{folder}/{}", stem(name)));
        }
    }
    let all: BTreeSet<String> = manifest.shaders.iter().map(|e| stem(&e.path)).collect();
    let untested: BTreeSet<String> = all.difference(&tested).cloned().collect();
    let list = std::fs::read_to_string(here.join("untested.txt")).unwrap();
    let lines: Vec<&str> = list
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let mut named = BTreeSet::new();
    for line in lines {
        let (path, reason) = line
            .split_once(": ")
            .unwrap_or_else(|| panic!("`{line}` is not `path: reason`"));
        assert!(
            !reason.is_empty() && named.insert(path.to_owned()),
            "`{line}` has no reason or comes twice"
        );
    }
    let missing: Vec<_> = untested.difference(&named).collect();
    let stale: Vec<_> = named.difference(&untested).collect();
    assert!(
        missing.is_empty(),
        "without a test and without a reason: {missing:?}"
    );
    assert!(
        stale.is_empty(),
        "listed with a reason although they have a test, or are not such shaders: {stale:?}"
    );
    assert!(
        all.len() - untested.len() >= 550,
        "only {} shaders have a test",
        all.len() - untested.len()
    );
}

/// FXC's DXBC of the shaders that tests run, without the exceptions, which it computes otherwise.
#[test]
fn shaders_have_dxbc_or_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let (shaders, dxbc) = (root.join("shaders"), root.join("dxbc"));
    let found = shader_testkit::files(&dxbc, "dxbc");
    assert!(found.len() > 500, "only {} shaders have DXBC", found.len());
    for path in found {
        let name = path.strip_prefix(&dxbc).unwrap().with_extension("dxil");
        assert!(shaders.join(&name).exists(), "{name:?} has only DXBC");
    }
    let list = std::fs::read_to_string(dxbc.join("exceptions.txt")).unwrap();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (name, reason) = line.split_once(": ").unwrap();
        let tested = shaders.join(format!("{name}.run.json")).exists();
        let compared = dxbc.join(format!("{name}.dxbc")).exists();
        assert!(tested && !compared && !reason.is_empty(), "{line}");
    }
}
