//! Libraries that import from each other: `shaders/linking`.

use trellis_dxil_frontend::error::LinkError;
use trellis_dxil_frontend::module::Linkage;
use trellis_dxil_frontend::{Export, Input, Library, link, read};
use trellis_dxil_interpreter::dispatch::Dispatch;
use trellis_dxil_interpreter::{Inputs, Options, run_module};

const ENTRY: &[u8] = include_bytes!("../shaders/linking/entry.dxil");
const FUNCTIONS: &[u8] = include_bytes!("../shaders/linking/functions.dxil");

/// Returns the results that are not as expected.
fn differences(linked: &Input<'_>) -> String {
    let dispatch = Dispatch::from_json(include_str!("../shaders/linking/entry.json")).unwrap();
    let inputs = Inputs::try_from(&dispatch).unwrap();
    let options = Options::default();
    let outputs = run_module(&linked.module, &linked.shader, &inputs, &options).unwrap();
    format!("{:?}", outputs.mismatches(&dispatch.bindings).unwrap())
}

#[test]
fn a_linked_library_computes_what_its_sources_say() {
    let (entry, functions) = (read(ENTRY).unwrap(), read(FUNCTIONS).unwrap());
    for order in [[&entry, &functions], [&functions, &entry]] {
        let linked = link(&order.map(Library::from)).unwrap();
        assert_eq!(differences(&linked), "[]");
        let resources = linked.shader.resources.iter();
        let resources: Vec<_> = resources.map(|r| (r.class as u32, r.id)).collect();
        assert_eq!(resources, [(0, 0), (0, 1), (1, 0), (2, 0)]);
    }
}

#[test]
fn exports_hide_and_rename() {
    let (entry, functions) = (read(ENTRY).unwrap(), read(FUNCTIONS).unwrap());
    let export = |symbol, name| Export { symbol, name };
    let link_with = |exports: &[Export<'_>]| {
        let library = Library {
            input: &entry,
            exports: Some(exports),
        };
        link(&[library, Library::from(&functions)])
    };
    let two = [
        export("main", Some("a")),
        export("main", Some("b")),
        export("first", None),
    ];
    let mut linked = link_with(&two).unwrap();
    let names: Vec<_> = linked
        .shader
        .exports()
        .into_iter()
        .map(|(_, name)| name.to_owned())
        .collect();
    assert_eq!(names, ["a", "b"]);
    linked.shader.entry_points.retain(|entry| entry.name != "a");
    assert_eq!(differences(&linked), "[]");

    let linked = link_with(&[export("main", None)]).unwrap();
    let undefined = |name: &str| {
        let mut functions = linked.module.functions.values();
        functions.any(|f| f.is_declaration && f.name.contains(name))
    };
    assert!(undefined("?first@"), "it is not exported");
    assert_eq!(
        link_with(&[export("absent", None)]).unwrap_err(),
        LinkError::Export("absent".into())
    );
}

#[test]
fn conflicts_name_the_symbol() {
    let (entry, functions) = (read(ENTRY).unwrap(), read(FUNCTIONS).unwrap());
    let error = |other: &Input<'_>| link(&[&functions, other].map(Library::from)).unwrap_err();
    let shade = { functions.module.functions.values() }.find(|f| f.name.contains("?shade@"));
    let shade = shade.unwrap().name.clone();
    let duplicate = error(&functions).to_string();
    assert!(
        duplicate.starts_with("two libraries define `?shade@"),
        "{duplicate}"
    );

    let mut other = read(ENTRY).unwrap();
    let first = { other.module.functions.values() }.find(|f| f.name.contains("?first@"));
    let first = first.unwrap().name.clone();
    for function in other.module.functions.values_mut() {
        if function.name == shade {
            function.name = first.clone();
        }
    }
    assert!(matches!(error(&other), LinkError::Type(name) if name.starts_with("?first@")));

    let mut other = read(ENTRY).unwrap();
    let resource = other
        .shader
        .resources
        .iter_mut()
        .find(|r| r.name == "numbers");
    resource.unwrap().lower_bound = 9;
    assert!(matches!(error(&other), LinkError::Resource(name) if name.contains("?numbers@")));

    // A template that both define is taken once.
    let mut weak = read(FUNCTIONS).unwrap();
    for function in weak.module.functions.values_mut() {
        function.linkage = Linkage::Other(19);
    }
    let three = [&entry, &functions, &weak].map(Library::from);
    assert_eq!(differences(&link(&three).unwrap()), "[]");
    let shader = read(include_bytes!("../shaders/squares.dxil")).unwrap();
    assert_eq!(error(&shader), LinkError::NotLibrary(1));
}
