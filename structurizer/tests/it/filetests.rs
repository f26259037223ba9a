//! Graphs in `tests/filetests/*.cfg` and their results.
//!
//! A file is a graph, a line `---`, and the structured function; after a second line `---` is the
//! pseudo-code. In files of a stage (`loop_exits_….cfg`), which begin with its name in
//! `Stage::TABLE`, the remarks follow it instead. With `TRELLIS_BLESS=1` the test writes the text
//! after the graph. Lines before the graph that start with `#` describe the graph;
//! `# without: STAGE…` disables stages, `# target: NAME` and `# single return` choose the target.

use std::path::Path;

use structurizer_testkit::check::check_result;
use structurizer_testkit::harness::{SEPARATOR, filetests};
use structurizer_testkit::simt::{LaneSets, is_reducible};
use trellis_structurizer::text::{parse, print_structured};
use trellis_structurizer::{Options, Stage, Target, Tree, structurize};

/// Returns whether the name of a file begins with the name of a stage.
fn is_of_a_stage(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| {
        Stage::ALL.iter().any(|stage| {
            name.strip_prefix(&stage.name().replace('-', "_"))
                .is_some_and(|rest| rest.starts_with('_'))
        })
    })
}

fn run(path: &Path, input: &str, expected: &str) -> Result<String, String> {
    let func = parse(input).map_err(|error| error.to_string())?;
    let mut options = Options::default();
    options.remarks = true;
    for name in input.lines().filter_map(|l| l.strip_prefix("# without: ")) {
        for name in name.split(' ') {
            let stage = Stage::from_name(name).ok_or_else(|| format!("no stage {name}"))?;
            options.stages = options.stages.without(stage);
        }
    }
    for name in input.lines().filter_map(|l| l.strip_prefix("# target: ")) {
        options.target = Target::from_name(name).ok_or_else(|| format!("no target {name}"))?;
    }
    let single_return = input.lines().any(|l| l == "# single return");
    let branch_merges = input.lines().any(|l| l == "# branch merges");
    options.target = (options.target)
        .with_single_return(single_return)
        .with_branch_merges(branch_merges);
    let after = structurize(func.clone(), &options).map_err(|error| error.to_string())?;
    let sets = if is_reducible(&func) {
        LaneSets::Equal
    } else {
        LaneSets::Ignore
    };
    check_result(&func, &after, 8, sets).map_err(|failure| failure.to_string())?;
    let r = &after.report;
    let summary = format!(
        "# blocks {} -> {}, ladders {}, selectors {}, dispatch headers {}, breakable blocks {}, phis {}\n",
        func.num_blocks(),
        after.order.len(),
        r.ladders,
        r.selectors,
        r.dispatch_headers,
        r.breakable_blocks,
        r.phis
    );
    let mut found = summary + &print_structured(&after);
    if is_of_a_stage(path) {
        found += SEPARATOR;
        for remark in &r.remarks {
            found += &format!("# {remark}\n");
        }
    } else if expected.contains(SEPARATOR) {
        found = format!("{found}{SEPARATOR}{}", Tree::of(&after));
    }
    Ok(found)
}

#[test]
fn each_graph_has_the_result_in_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    filetests(&folder, 40, run);
}
