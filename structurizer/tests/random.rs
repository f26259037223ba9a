//! Random graphs: valid, the same trace for every lane, the same lanes together.
//!
//! `TRELLIS_SEED` is the first seed, `TRELLIS_GRAPHS` how many graphs, `TRELLIS_BLOCKS` how large.
//! `TRELLIS_COLLECT` is a folder: the test then goes on after a failure and writes the smallest
//! graph of each kind of failure there. `TRELLIS_VERBOSE` prints each graph before it runs.

mod common;

use structurizer::ir::Function;
use structurizer::simt::{LaneSets, is_reducible};
use structurizer::text::{print, print_structured};
use structurizer::{Options, generate, structurize};

use common::check::{check, failure, kind, shrink};
use common::switch_loop;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn for_random_graphs(default: u64, test: &dyn Fn(&Function) -> Result<(), String>) {
    let (first, count) = (setting("TRELLIS_SEED", 1), setting("TRELLIS_GRAPHS", default));
    let blocks = setting("TRELLIS_BLOCKS", 64) as usize;
    println!("TRELLIS_SEED={first} TRELLIS_GRAPHS={count} TRELLIS_BLOCKS={blocks}");
    let collect = std::env::var_os("TRELLIS_COLLECT").map(std::path::PathBuf::from);
    let mut kinds: Vec<(String, u64, usize)> = Vec::new();
    for seed in first..first + count {
        // Small graphs are quick and find most.
        let func = generate::random_function(seed, if seed % 4 == 0 { blocks } else { blocks.min(4 + (seed % 16) as usize) });
        if std::env::var_os("TRELLIS_VERBOSE").is_some() {
            eprintln!("# seed {seed}\n{}", print(&func));
        }
        let Some(message) = failure(&func, test) else { continue };
        let kind = kind(&message);
        if let Some(known) = kinds.iter_mut().find(|known| known.0 == kind) {
            known.2 += 1;
            continue;
        }
        let small = shrink(func, test);
        let again = failure(&small, test).unwrap_or_default();
        let report = format!("TRELLIS_SEED={seed}: {message}\nshrunk: {again}\n{}", print(&small));
        match &collect {
            None => panic!("{report}"),
            Some(folder) => {
                let comment = |text: &str| text.lines().map(|line| format!("# {line}")).collect::<Vec<_>>().join("\n");
                let text = format!("# TRELLIS_SEED={seed}\n{}\n{}", comment(&again), print(&small));
                std::fs::write(folder.join(format!("seed{seed}.cfg")), text).unwrap();
                kinds.push((kind, seed, 1));
            }
        }
    }
    assert!(kinds.is_empty(), "{kinds:#?}");
}

#[test]
fn random_graphs_stay_what_they_are() {
    for_random_graphs(8000, &|func| {
        let after = structurize(func.clone(), &Options::default()).map_err(|error| format!("structurize: {error}"))?;
        let sets = if is_reducible(func) { LaneSets::Equal } else { LaneSets::Ignore };
        check(func, &after, 6, sets).map_err(|message| format!("{message}\n{}", print_structured(&after)))
    });
}

#[test]
fn the_switch_in_a_loop_passes_the_same_checks() {
    for_random_graphs(1500, &|func| {
        let after = switch_loop::structurize(func);
        check(func, &after, 4, LaneSets::Ignore).map_err(|message| format!("{message}\n{}", print_structured(&after)))
    });
}
