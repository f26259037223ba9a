//! Random programs about data: determinism, shrinking; with a compiler, results, and that they depend
//! on the statements.

use differential::compiler::Compiler;
use differential::judge::{Judge, Verdict};
use differential::typed::{Statement, generate, generate_long, shrink};

#[test]
fn the_same_seed_makes_the_same_text() {
    for seed in 0..50 {
        assert_eq!(generate(seed).text(), generate(seed).text());
        assert_eq!(generate_long(seed).text(), generate_long(seed).text());
    }
    assert_ne!(generate(1).text(), generate(2).text());
}

/// All that the programs are about is in some of them.
#[test]
fn programs_have_all_kinds_of_data() {
    let texts: Vec<String> = (0..400).map(|seed| generate(seed).text()).collect();
    let parts = [
        "half3",
        "int16_t",
        "double",
        "int64_t",
        "float2x3 Shared",
        "Inner Shared",
        "mul(",
        "transpose(",
        "InterlockedCompareExchange",
        "Bytes.Interlocked",
        "InterlockedMax(Totals",
        "Gather",
        "SampleLevel",
        "SampleCmp",
        "SampleGrad",
        "Cube.",
        "Volume.",
        "Layers.",
        "Line.",
        "Image[",
        "Marks[",
        "Items[id]",
        "WaveActiveSum",
        "[unroll]",
        "Raw.Load",
        "Words[",
        "crm[",
        "row_major",
    ];
    for part in parts {
        let has = texts.iter().filter(|text| {
            text.split("void main")
                .nth(1)
                .is_some_and(|body| body.contains(part))
                || text.contains(part) && part.contains("Shared")
        });
        assert!(has.count() >= 4 || part == "row_major", "{part}");
    }
}

/// Long vectors of all types, in all places and with all operations that are meant.
#[test]
fn programs_have_long_vectors_everywhere() {
    let texts: Vec<String> = (0..300).map(|seed| generate_long(seed).text()).collect();
    let scalars = [
        "half", "float", "double", "int16_t", "int", "int64_t", "uint64_t",
    ];
    for scalar in scalars {
        let declared = format!("typedef vector<{scalar}, ");
        let stored = format!("Bytes.Store<{scalar}");
        let has = |text: &&String| text.contains(&declared) && text.contains(&stored);
        assert!(texts.iter().filter(has).count() >= 10, "{scalar}");
    }
    let parts = [
        "select(",
        "dot(",
        "sign(",
        "clamp(",
        "mad(",
        "min(",
        "any(",
        "all(",
        "and(",
        "isfinite(",
        "reversebits(",
        "asuint(",
        "Raw.Load<",
        "Bytes.Load<",
        "Records[",
        "RecordsOut[id].of_",
        "record.of_",
        "table_",
        "array_",
        "function0(",
        "[noinline]",
        "inout",
        "[lane][",
        "WaveReadLaneAt(",
        "% 33u",
    ];
    for part in parts {
        let has = texts.iter().filter(|text| text.contains(part));
        assert!(has.count() >= 4, "{part}");
    }
    // The features of other kinds of programs do not depend on the compiler.
    assert!((0..100).all(|seed| !generate(seed).text().contains("vector<")));
}

#[test]
fn a_fault_shrinks_to_the_statement_that_has_it() {
    let has = |list: &[Statement]| {
        fn any(list: &[Statement]) -> bool {
            list.iter().any(|statement| match statement {
                Statement::Simple(text) => text.contains("InterlockedMax("),
                Statement::Block(_, body) => any(body),
            })
        }
        any(list)
    };
    let programs = (0..200).map(generate).filter(|program| has(&program.body));
    for program in programs.take(5) {
        let small = shrink(program, 2000, &mut |smaller| has(&smaller.body));
        assert!(has(&small.body) && small.size() == 1, "{}", small.text());
    }
}

#[test]
fn fresh_programs_are_equal_where_there_is_a_compiler() {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let mut session = Judge::new(compiler.session().unwrap());
    for seed in 0..40 {
        let verdict = session.judge(&generate(seed));
        assert!(
            matches!(verdict, Verdict::Equal | Verdict::Skipped(_)),
            "seed {seed}: {verdict:?}"
        );
    }
}
