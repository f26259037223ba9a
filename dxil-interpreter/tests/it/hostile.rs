//! Modules that no compiler writes: each ends soon, with a typed error.

use std::path::Path;

use trellis_dxil_frontend::module::{FunctionId, InstKind, Module, Type, ValueId, ValueKind};
use trellis_dxil_frontend::shader::{Shader, WaveSize};
use trellis_dxil_interpreter::dispatch::Dispatch;
use trellis_dxil_interpreter::{
    Error, Inputs, InvalidKind, Options, Outputs, Quantity, run_module,
};
use trellis_entity::PrimaryMap;

/// Runs a shader of the folder `shaders` after `change`.
fn run_changed(
    name: &str,
    groups: [u32; 3],
    change: impl Fn(&mut Module, &mut Shader),
) -> Result<Outputs, Error> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/shaders")
        .join(name);
    let bytes = std::fs::read(file.with_extension("dxil")).expect("a shader");
    let dispatch = Dispatch::from_json(
        &std::fs::read_to_string(file.with_extension("json")).expect("a dispatch"),
    )
    .expect("a dispatch");
    let inputs = Inputs {
        groups,
        ..Inputs::try_from(&dispatch).expect("inputs")
    };
    let mut input = trellis_dxil_frontend::read(&bytes).expect("a good shader");
    change(&mut input.module, &mut input.shader);
    run_module(
        &input.module,
        &input.shader,
        &inputs,
        &Options {
            steps: 1 << 22,
            ..Options::default()
        },
    )
}

/// Gives every array of more than 100 elements another length.
fn lengthen(module: &mut Module, length: u64) {
    let arrays = module.types.values_mut().filter_map(|ty| {
        if let Type::Array { len, .. } = ty {
            Some(len)
        } else {
            None
        }
    });
    arrays
        .filter(|len| **len > 100)
        .for_each(|len| *len = length);
}

#[test]
fn variables_beyond_the_limit() {
    for length in [1 << 40, u64::MAX] {
        let result = run_changed("barrier_sum", [1; 3], |module, _| lengthen(module, length));
        assert!(
            matches!(
                result,
                Err(Error::Limit {
                    quantity: Quantity::VariableBytes,
                    ..
                })
            ),
            "{result:?}"
        );
    }
}

#[test]
fn clearing_much_memory_for_many_groups_counts_as_work() {
    let result = run_changed("barrier_sum", [u32::MAX; 3], |module, _| {
        lengthen(module, 1 << 24);
    });
    assert_eq!(result, Err(Error::Steps { limit: 1 << 22 }));
}

#[test]
fn a_function_that_calls_itself() {
    let result = run_changed("local_arrays", [1; 3], |module, _| {
        let main = module
            .functions
            .position(|function| &*function.name == "main")
            .expect("main");
        let own: ValueId = module.functions[main].value;
        let defined: PrimaryMap<FunctionId, bool> = module
            .functions
            .values()
            .map(|function| !function.is_declaration)
            .collect();
        let values = module.values.clone();
        for inst in module.functions[main].insts.values_mut() {
            if let InstKind::Call { callee, .. } = &mut inst.kind
                && let Some(ValueKind::Function(id)) =
                    values.get(callee.as_u32() as usize).map(|value| value.kind)
                && defined[id]
            {
                *callee = own;
            }
        }
    });
    assert_eq!(
        result,
        Err(Error::Invalid {
            kind: InvalidKind::Recursion
        })
    );
}

#[test]
fn groups_of_impossible_sizes() {
    for size in [[0, 1, 1], [1025, 1, 1], [u32::MAX; 3]] {
        let result = run_changed("barrier_sum", [1; 3], |_, shader| {
            shader.entry_points[0].properties.num_threads = Some(size);
        });
        assert!(
            matches!(result, Err(Error::Invalid { .. })),
            "{size:?}: {result:?}"
        );
    }
    let result = run_changed("barrier_sum", [1; 3], |_, shader| {
        shader.entry_points[0].properties.wave_size = Some(WaveSize::exactly(64));
    });
    assert!(
        result.is_ok(),
        "the shader's own width is taken: {result:?}"
    );
    let result = run_changed("barrier_sum", [1; 3], |_, shader| {
        shader.entry_points[0].properties.wave_size = Some(WaveSize {
            minimum: 5,
            maximum: 6,
            preferred: 7,
        });
    });
    assert!(matches!(result, Err(Error::WaveWidth { .. })), "{result:?}");
}

#[test]
fn a_branch_to_itself() {
    let result = run_changed("thread_ids", [1; 3], |module, _| {
        let main = module
            .functions
            .values_mut()
            .find(|function| &*function.name == "main")
            .expect("main");
        main.insts.last_mut().expect("a terminator").kind = InstKind::Br {
            target: trellis_dxil_frontend::module::BlockId::from_u32(0),
        };
    });
    assert_eq!(result, Err(Error::Steps { limit: 1 << 22 }));
}
