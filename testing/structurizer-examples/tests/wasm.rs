//! The programs of `goto_to_wasm.rs` run in wasmi, an interpreter of WebAssembly, and with the
//! feature `wasmtime` in wasmtime, too. They print the same as the bytecode. Without irreducible
//! loops they have no selectors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "../../../structurizer-client/examples/goto_to_wasm.rs"]
#[expect(dead_code, reason = "the example has its own `main`")]
mod example;

use common::{interpret, random};
use example::bytecode::Op;
use example::{function, wasm};
use structurizer_testkit::generate::Rng;
use structurizer_testkit::simt::is_reducible;

const PROGRAMS: usize = 400;

/// Defines a `Runner` for a runtime. The names are the same in both but for these two.
macro_rules! runner {
    ($runtime:ident, $instantiate:ident, $error:ident) => {
        use $runtime::{Caller, Engine, Error, Linker, Module, Store};

        use crate::common::LIMIT;

        pub(crate) struct Runner {
            engine: Engine,
            linker: Linker<Vec<i32>>,
        }

        impl Runner {
            pub(crate) fn new() -> Self {
                let engine = Engine::default();
                let mut linker: Linker<Vec<i32>> = Linker::new(&engine);
                let print = |mut caller: Caller<'_, Vec<i32>>, number: i32| {
                    let printed = caller.data_mut();
                    printed.push(number);
                    if printed.len() == LIMIT {
                        return Err(Error::$error("enough"));
                    }
                    Ok(())
                };
                linker.func_wrap("bytecode", "print", print).unwrap();
                Self { engine, linker }
            }

            /// Runs a program until it ends or has printed `LIMIT` numbers.
            pub(crate) fn run(&self, text: &str) -> Vec<i32> {
                let binary = wat::parse_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let module = Module::new(&self.engine, &binary);
                let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
                let mut store = Store::new(&self.engine, Vec::new());
                let instance = self.linker.$instantiate(&mut store, &module).unwrap();
                let main = instance.get_typed_func::<(), ()>(&mut store, "main");
                let result = main.unwrap().call(&mut store, ());
                let printed = store.into_data();
                assert!(
                    result.is_ok() || printed.len() == LIMIT,
                    "{result:?}\n{text}"
                );
                printed
            }
        }
    };
}

mod interpreted {
    runner!(wasmi, instantiate_and_start, new);
}

#[cfg(feature = "wasmtime")]
mod compiled {
    runner!(wasmtime, instantiate, msg);
}

fn programs() -> impl Iterator<Item = Vec<Op>> {
    let mut rng = Rng::new(1);
    (0..PROGRAMS).map(move |_| random(&mut rng))
}

#[test]
fn the_same_numbers_are_printed_by_webassembly() {
    let runner = interpreted::Runner::new();
    for code in programs() {
        let text = wasm(&code).unwrap();
        assert_eq!(runner.run(&text), interpret(&code), "{code:?}");
    }
}

#[cfg(feature = "wasmtime")]
#[test]
fn the_same_numbers_are_printed_by_compiled_webassembly() {
    let runner = compiled::Runner::new();
    for code in programs() {
        let text = wasm(&code).unwrap();
        assert_eq!(runner.run(&text), interpret(&code), "{code:?}");
    }
}

#[test]
fn reducible_programs_have_no_selectors() {
    let mut reducible = 0;
    for code in programs().filter(|code| is_reducible(&function(code))) {
        reducible += 1;
        let text = wasm(&code).unwrap();
        // All comparisons are the bytecode's: `lt_s`.
        assert!(!text.contains("i32.le_u"), "{code:?}\n{text}");
    }
    assert!(
        reducible > PROGRAMS / 10,
        "{reducible} programs are reducible"
    );
}
