//! The programs of `goto_to_wasm.rs` run in wasmi, an interpreter of WebAssembly, and print what the bytecode does. Without
//! irreducible loops they have no selectors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "../../../structurizer/examples/goto_to_wasm.rs"]
#[expect(dead_code, reason = "the example has a `main` of its own")]
mod example;

use common::{LIMIT, interpret, random};
use example::bytecode::{Op, function};
use example::wasm;
use structurizer_testkit::generate::Rng;
use structurizer_testkit::simt::is_reducible;
use wasmi::{Caller, Engine, Error, Linker, Module, Store};

const PROGRAMS: usize = 400;

/// Runs a program; it ends when it has printed as many numbers as it may.
fn run(engine: &Engine, linker: &Linker<Vec<i32>>, code: &[Op]) -> Vec<i32> {
    let text = wasm(code).unwrap();
    let binary = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let module = Module::new(engine, &binary).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut store = Store::new(engine, Vec::new());
    let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
    let main = instance.get_typed_func::<(), ()>(&store, "main").unwrap();
    let result = main.call(&mut store, ());
    let printed = store.into_data();
    assert!(
        result.is_ok() || printed.len() == LIMIT,
        "{result:?}\n{text}"
    );
    printed
}

#[test]
fn the_same_numbers_are_printed_by_webassembly() {
    let engine = Engine::default();
    let mut linker: Linker<Vec<i32>> = Linker::new(&engine);
    let print = |mut caller: Caller<'_, Vec<i32>>, number: i32| {
        let printed = caller.data_mut();
        printed.push(number);
        if printed.len() == LIMIT {
            return Err(Error::new("enough"));
        }
        Ok(())
    };
    linker.func_wrap("bytecode", "print", print).unwrap();
    let mut rng = Rng::new(1);
    let mut reducible = 0;
    for _ in 0..PROGRAMS {
        let code = random(&mut rng);
        assert_eq!(run(&engine, &linker, &code), interpret(&code), "{code:?}");
        if is_reducible(&function(&code)) {
            reducible += 1;
            let text = wasm(&code).unwrap();
            // Comparisons are those of the bytecode: `lt_s`.
            assert!(!text.contains("i32.le_u"), "{code:?}\n{text}");
        }
    }
    assert!(
        reducible > PROGRAMS / 10,
        "{reducible} programs are reducible"
    );
}
