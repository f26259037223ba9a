//! Sizes, offsets and numbers of `trellis.h`, as compilers of C and C++ have them.

use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;

use c_testkit::{compiler, run};
use trellis::abi::*;

/// Asserts sizes and offsets of structs.
macro_rules! layouts {
    ($out:ident: $($rust:ident = $c:ident { $($field:ident),* $(,)? })+) => { $(
        let c = concat!("trellis_", stringify!($c));
        check($out, &format!("sizeof({c})"), size_of::<$rust>());
        check($out, &format!("ALIGNOF({c})"), align_of::<$rust>());
        $(
            let field = stringify!($field);
            check($out, &format!("offsetof({c}, {field})"), offset_of!($rust, $field));
        )*
        // A struct without one of its fields would not be the pattern.
        let _ = |value: $rust| { let $rust { $($field: _),* } = value; };
    )+ };
}

fn check(out: &mut String, what: &str, value: usize) {
    writeln!(out, "static_assert({what} == {value}, \"{what}\");").unwrap();
}

fn structs(out: &mut String) {
    layouts! { out:
        Location = location {
            part, part_length, function, function_length, byte_offset, block, instruction,
        }
        Entry = entry {
            name, name_length, stage, workgroup_size, wave_size_min, wave_size_max,
            wave_size_preferred,
        }
        ModuleInfo = module_info { entry, entry_length, stage, patch_location }
        ResourceQuery = resource_query {
            size, name, name_length, stage, resource_class, resource_kind, register_space,
            register_index, range_size, resource_index, alignment, stride, has_counter,
        }
        HeapQuery = heap_query {
            size, stage, resource_class, resource_kind, alignment, stride, counter,
        }
        SetBinding = set_binding { used, set, binding, reserved }
        Place = place {
            kind, descriptor, set, binding, offset, has_root_constant, root_constant, words,
            record_offset, size_log2, reserved,
        }
        Binding = binding { place, counter, offsets }
        HeapPlace = heap_place { set, binding, descriptor, reserved, offsets }
        ElementQuery = element_query {
            size, semantic, semantic_length, semantic_index, stage, signature, system_value,
            start_row, rows, columns, stream,
        }
        ElementPlace = element_place { location, component, per_primitive, reserved }
        Capture = capture { buffer, stride, offset, components, component, row, reserved }
        StageIo = stage_io { vertex_input, input, output, capture }
    }
    for (c, size) in [
        ("trellis_status", size_of::<Status>()),
        ("trellis_bool", size_of::<Bool>()),
        ("trellis_answer", size_of::<Answer>()),
        ("trellis_stage", size_of::<Stage>()),
        ("trellis_bind_function", size_of::<BindFunction>()),
    ] {
        check(out, &format!("sizeof({c})"), size);
    }
}

/// Asserts the constants of the sources: those that are written in the header, with their values.
fn numbers(out: &mut String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/abi/numbers.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let mut count = 0;
    for line in source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const "))
    {
        let (name, rest) = line.split_once(": ").unwrap();
        let (_, value) = rest.trim_end_matches(';').split_once(" = ").unwrap();
        let value = value.replace('_', "");
        writeln!(out, "static_assert({name} == {value}, \"{name}\");").unwrap();
        count += 1;
    }
    assert!(count > 70);
}

#[test]
fn layouts_and_numbers_are_those_that_c_has() {
    let mut text = String::from(
        "#include <assert.h>\n#include \"trellis.h\"\n#ifdef __cplusplus\n#define ALIGNOF alignof\n\
         #else\n#define ALIGNOF _Alignof\n#endif\n",
    );
    structs(&mut text);
    numbers(&mut text);
    let folder = tempfile::tempdir().unwrap();
    for name in ["layout.c", "layout.cpp"] {
        let file = folder.path().join(name);
        std::fs::write(&file, &text).unwrap();
        let mut compile = compiler(&file);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        compile.args(["-pedantic", "-fsyntax-only", "-I"]);
        run(compile.arg(include), folder.path());
    }
}
