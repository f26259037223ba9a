//! The listing of real shaders, compared with files. The bodies of these files were compared with
//! the dump of DXC, line by line, when they were made; known differences are in the header alone:
//! DXC writes `;;` after an array of structures and flattens arrays of arrays.
//!
//! `TRELLIS_BLESS=1 cargo test -p trellis-dxil-frontend --test it listing::` rewrites the files.

use std::fs;
use std::path::Path;

use shader_testkit::files;
use trellis_dxil_frontend::container::{Container, FourCC};
use trellis_dxil_frontend::disasm::disassemble;
use trellis_dxil_frontend::module::{
    ConstId, Constant, ConstantData, Global, Linkage, Module, PoolRange, Type, TypeId, ValueData,
    ValueId, ValueKind,
};
use trellis_dxil_frontend::{Error, read, read_with_debug_info};

fn list(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let input = read_with_debug_info(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    disassemble(&input.module, Some(&input.shader), input.container.as_ref())
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn listings_are_as_expected() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let bless = std::env::var_os("TRELLIS_BLESS").is_some_and(|v| v == "1");
    let found = files(&data, "dxil");
    assert!(found.len() >= 11);
    for path in found {
        let expected = path.with_extension("ll");
        let text = list(&path);
        if bless {
            fs::write(&expected, &text).unwrap();
        } else if let Some((i, (want, got))) = fs::read_to_string(&expected)
            .unwrap()
            .lines()
            .zip(text.lines())
            .enumerate()
            .find(|(_, (a, b))| a != b)
        {
            panic!(
                "{}:{}\nexpected {want}\nfound    {got}",
                expected.display(),
                i + 1
            );
        } else {
            assert_eq!(
                fs::read_to_string(&expected).unwrap().len(),
                text.len(),
                "{}",
                expected.display()
            );
        }
    }
}

#[test]
fn every_corpus_shader_has_a_listing() {
    let found = files(&shader_testkit::corpus(), "dxil");
    assert!(found.len() > 100, "{} files", found.len());
    for path in found {
        let text = list(&path);
        assert!(text.contains("define "), "{}", path.display());
        for bad in ["<bad", "<unknown", "DXILRecord", "invalid DXIL operation"] {
            assert!(!text.contains(bad), "{}: {bad}", path.display());
        }
    }
}

#[test]
fn bitcode_without_a_container_has_a_listing() {
    let bytes = include_bytes!("../data/pixel.dxil");
    let program = Container::open(bytes).unwrap().main_program().unwrap();
    let input = read(program.bitcode).unwrap();
    let text = disassemble(&input.module, Some(&input.shader), None).unwrap();
    assert!(text.contains("define void @main()") && text.contains("; Resource Bindings:"));
}

/// A conversion does not read these parts, so that a listing does not need them.
#[test]
fn parts_that_are_empty_or_malformed_are_left_out() {
    let bytes = include_bytes!("../data/pixel.dxil");
    let container = Container::open(bytes).unwrap();
    for name in [*b"ISG1", *b"OSG1", *b"PSV0", *b"HASH"] {
        let part = container.part(FourCC(name)).unwrap();
        let listing = |change: &dyn Fn(&mut [u8])| {
            let mut bytes = bytes.to_vec();
            change(&mut bytes);
            let input = read(&bytes).unwrap();
            disassemble(&input.module, Some(&input.shader), input.container.as_ref()).unwrap()
        };
        let empty = listing(&|bytes| bytes[part.offset - 4..part.offset].fill(0));
        let broken =
            listing(&|bytes| bytes[part.offset - 4..part.offset].copy_from_slice(&[3, 0, 0, 0]));
        let error = format!("; {} part: ", FourCC(name));
        for (text, errors) in [(empty, 0), (broken, 1)] {
            assert!(text.contains("define void @main()"));
            assert_eq!(text.matches(&error).count(), errors, "{name:?}");
        }
    }
}

/// A constant of arrays within arrays, each twice in the next: a few hundred bytes that would print
/// as 2^60 numbers.
#[test]
fn a_listing_that_would_fill_the_memory_is_an_error() {
    let mut m = Module {
        types: vec![Type::Int(32)].into(),
        ..Module::default()
    };
    let constant = |m: &mut Module, ty: u32, value: Constant| {
        let id = ValueId::from_u32(m.values.len() as u32);
        m.values.push(ValueData {
            ty: TypeId::from_u32(ty),
            kind: ValueKind::Constant(ConstId::from_u32(m.constants.len() as u32)),
        });
        m.constants.push(ConstantData {
            ty: TypeId::from_u32(ty),
            value,
        });
        id
    };
    let mut last = constant(&mut m, 0, Constant::Int(7));
    for depth in 0..60 {
        m.types.push(Type::Array {
            element: TypeId::from_u32(depth),
            len: 2,
        });
        let start = m.const_operands.len() as u32;
        m.const_operands.extend([last.as_u32(); 2]);
        last = constant(
            &mut m,
            depth + 1,
            Constant::Aggregate(PoolRange {
                start,
                end: start + 2,
            }),
        );
    }
    m.types.push(Type::Pointer {
        pointee: TypeId::from_u32(60),
        address_space: 0,
    });
    m.globals.push(Global {
        name: "g".into(),
        ty: TypeId::from_u32(60),
        ptr_ty: TypeId::from_u32(61),
        address_space: 0,
        is_const: true,
        init: Some(last),
        linkage: Linkage::Internal,
        align: 0,
        unnamed_addr: false,
        externally_initialized: false,
        thread_local: 0,
        section: 0,
    });
    assert!(matches!(
        disassemble(&m, None, None),
        Err(Error::Listing(_))
    ));
}
