//! Makes a program smaller while something about it stays.

use serde_json::json;
use structurizer_testkit::shrink::shrink_tree;

use crate::levels;
use crate::program::*;

/// Returns the smallest program found with at most `tests` calls of `keeps`. Only programs that are
/// defined are tested.
pub fn shrink(program: Program, tests: usize, keeps: &mut dyn FnMut(&Program) -> bool) -> Program {
    let Program { seed, options, .. } = program;
    type Parts = (Vec<Statement>, Vec<Function>, [u32; 3], bool);
    let with = |(main, functions, [lanes, groups, model], short_circuit): &Parts| Program {
        seed,
        options: Compilation {
            model: *model,
            short_circuit: *short_circuit,
            ..options
        },
        lanes: *lanes,
        groups: *groups,
        functions: functions.clone(),
        main: main.clone(),
    };
    let leaves = [
        json!(null),
        json!(false),
        json!("None"),
        json!("For"),
        json!({"Constant": 0}),
        json!({"Constant": 1}),
        json!({"Constant": true}),
        json!({"Constant": false}),
    ];
    let numbers = [program.lanes, program.groups, options.model];
    let parts = (
        program.main,
        program.functions,
        numbers,
        options.short_circuit,
    );
    let is_defined = |parts: &Parts| levels::check(&with(parts)).is_ok();
    let mut keeps = |parts: &Parts| keeps(&with(parts));
    with(&shrink_tree(parts, &leaves, tests, &is_defined, &mut keeps))
}
