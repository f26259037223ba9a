//! The translation of memory inside the corpus shaders, checked on lines of the output.

use trellis_spirv_backend::Options;

use crate::common::{self, has};

fn lines(name: &str) -> Vec<String> {
    common::lines(name, &Options::default())
}

#[test]
fn groupshared_memory_with_atomics_holds_integers() {
    let l = lines("groupshared/atomics.dxil");
    for op in [
        "OpAtomicIAdd",
        "OpAtomicSMin",
        "OpAtomicUMin",
        "OpAtomicExchange",
        "OpAtomicCompareExchange",
    ] {
        assert!(has(&l, &[op]), "{op}");
    }
    let uint = l
        .iter()
        .find_map(|l| l.strip_suffix(" = OpTypeInt 32 0"))
        .expect("an integer type");
    assert!(has(&l, &[&format!("OpTypePointer Workgroup {uint}")]));
    let l = lines("groupshared/atomics_64.dxil");
    assert!(has(&l, &["OpCapability Int64Atomics"]));
}

#[test]
fn constant_tables_are_private_variables_with_an_initializer() {
    let l = lines("local_arrays/constant_table.dxil");
    let variable = l
        .iter()
        .find(|l| l.contains("OpVariable") && l.contains("Private"))
        .expect("a private variable");
    let words: Vec<&str> = variable.split(' ').collect();
    assert_eq!(
        words.len(),
        6,
        "result = OpVariable type class initializer: {variable}"
    );
    let initializer = words[5];
    assert!(
        l.iter()
            .any(|l| l.starts_with(&format!("{initializer} = OpConstantComposite"))),
        "{initializer}"
    );
}

#[test]
fn local_arrays_are_function_variables_in_the_first_block() {
    let l = lines("local_arrays/dynamic_index.dxil");
    let label = l
        .iter()
        .position(|l| l.contains("OpLabel"))
        .expect("a block");
    let variables: Vec<usize> = l
        .iter()
        .enumerate()
        .filter(|(_, l)| l.contains("OpVariable") && l.contains("Function"))
        .map(|(i, _)| i)
        .collect();
    assert!(!variables.is_empty());
    assert!(
        variables
            .iter()
            .enumerate()
            .all(|(n, &at)| at == label + 1 + n),
        "directly after the first label"
    );
}

/// Returns the name of the variable of a class whose type is an array of vectors of so many floats.
fn rows(lines: &[String], class: &str, lanes: u32) -> Option<String> {
    let float = (lines.iter()).find_map(|l| l.strip_suffix(" = OpTypeFloat 32"))?;
    let vector = format!(" = OpTypeVector {float} {lanes}");
    let vector = lines.iter().find_map(|l| l.strip_suffix(&vector))?;
    let arrays = lines
        .iter()
        .filter_map(|l| l.split_once(&format!(" = OpTypeArray {vector} ")));
    let array = arrays.map(|(array, _)| array);
    let is_pointer = |array: &str| format!(" = OpTypePointer {class} {array}");
    let mut pointers = array.filter_map(|a| {
        (lines.iter()).find_map(|l| Some(l.strip_suffix(&is_pointer(a))?.to_owned()))
    });
    let variable = format!(" = OpVariable {} {class}", pointers.next()?);
    let name = |l: &String| Some(l.split_once(&variable)?.0.to_owned());
    lines.iter().find_map(name)
}

#[test]
fn arrays_with_known_components_are_arrays_of_vectors() {
    let l = lines("buffers/structured_matrix_layouts.dxil");
    let variable = rows(&l, "Function", 4).expect("an array of rows");
    let accesses = l.iter().filter(|l| l.contains("OpAccessChain"));
    let of_rows: Vec<&String> = accesses.filter(|l| l.contains(&variable)).collect();
    assert!(!of_rows.is_empty());
    // The row and the component.
    for access in of_rows {
        assert_eq!(access.split(' ').count(), 7, "{access}");
    }
    // A table with an initializer, of vectors of two numbers.
    let l = lines("lighting/shadow_filters.disc.dxil");
    assert!(rows(&l, "Private", 2).is_some());
    // Three numbers do not divide a power of two, and single ones are no vectors.
    let l = lines("local_arrays/constant_table.dxil");
    assert!(rows(&l, "Private", 2).is_none() && rows(&l, "Private", 4).is_none());
}
