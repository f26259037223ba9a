//! Resource definitions.

use super::*;

/// Returns a part of model 4.0 with bindings of one name, `name`, and buffers that share `variables`
/// variables of that name.
fn part(name: &str, bindings: u32, buffers: u32, variables: u32) -> Vec<u8> {
    const HEADER: u32 = 28;
    let variables_at = HEADER;
    let buffers_at = variables_at + 24 * variables;
    let bindings_at = buffers_at + 24 * buffers;
    let name_at = bindings_at + 32 * bindings;
    let header = [buffers, buffers_at, bindings, bindings_at];
    let mut part = words(&header);
    part.extend(words(&[0xffff_0400, 0, name_at]));
    for i in 0..variables {
        part.extend(words(&[name_at, 4 * i, 4, 0, 0, 0]));
    }
    for _ in 0..buffers {
        part.extend(words(&[name_at, variables, variables_at, 64, 0, 0]));
    }
    for i in 0..bindings {
        part.extend(words(&[name_at, 2, 5, 4, 0, i, 1, 12]));
    }
    part.extend(name.bytes());
    part.push(0);
    part
}

fn read(part: Vec<u8>) -> Result<String, String> {
    let bytes = container(&[(*b"RDEF", part)]);
    let definitions = Container::open(&bytes).unwrap().resource_definitions();
    let definitions = definitions.map_err(|e| e.to_string())?.unwrap();
    let names: Vec<String> = definitions
        .bindings
        .iter()
        .map(|b| format!("{} at {}", b.name, b.register))
        .collect();
    let variables = definitions.buffers.iter().flat_map(|b| &b.variables);
    Ok(format!(
        "{}; {} variables in {} buffers",
        names.join(", "),
        variables.count(),
        definitions.buffers.len()
    ))
}

#[test]
fn bindings_and_variables() {
    let text = read(part("a", 2, 1, 3)).unwrap();
    assert_eq!(text, "a at 0, a at 1; 3 variables in 1 buffers");
}

/// Records that share names or variables cannot make the result larger than memory.
#[test]
fn shared_records_are_bounded() {
    let error = read(part("a", 0, 100, 100)).unwrap_err();
    assert!(
        error.contains("variable count 100 is out of range"),
        "{error}"
    );
    let error = read(part(&"a".repeat(60_000), 300, 0, 0)).unwrap_err();
    assert!(error.contains("bytes of names"), "{error}");
}

#[test]
fn every_cut_is_an_error() {
    let whole = part("a", 1, 1, 1);
    // A part without data is as none.
    for length in 1..whole.len() {
        read(whole[..length].to_vec()).unwrap_err();
    }
}
