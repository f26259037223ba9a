//! Convergence regions: convergent instructions of a region run per iteration, with the invocations
//! that leave the loop in it, for every choice of stages.

use structurizer_testkit::check::{Checks, check_function, check_result};
use structurizer_testkit::generate::{
    FillOptions, Program, ProgramOptions, Rng, fill, mark_regions, mark_uniform, random,
    random_reducible,
};
use structurizer_testkit::harness::setting;
use structurizer_testkit::simt::{Config, LaneSets, is_reducible, run_graph};
use trellis_structurizer::CheckError;
use trellis_structurizer::equivalence::{self, Difference};
use trellis_structurizer::ir::{Block, Effects, Function};
use trellis_structurizer::text::{parse, print, print_structured};
use trellis_structurizer::{Decision, Error, Options, Stage, Stages, structurize};

/// Returns a function with many convergent instructions and many blocks in regions.
fn function(seed: u64) -> Function {
    let mut rng = Rng::new(seed);
    let blocks = 5 + rng.below(25);
    let shape = match seed % 4 {
        0 => random(&mut rng, blocks),
        1 | 2 => random_reducible(&mut rng, blocks),
        _ => {
            let options = ProgramOptions {
                statements: blocks / 2,
                multi_level: true,
                ..ProgramOptions::default()
            };
            Program::random(&mut rng, &options).lower()
        }
    };
    let options = FillOptions {
        plain: rng.chance(50),
        plain_effects: Effects::SIDE_EFFECT | Effects::CONVERGENT,
        convergent: 60,
        ..FillOptions::default()
    };
    let mut func = fill(&shape, &mut rng, &options);
    if rng.chance(30) {
        mark_uniform(&mut func, &mut rng, 70);
    }
    let percent = [15, 50, 100][rng.below(3)];
    mark_regions(&mut func, &mut rng, percent);
    func
}

fn without_regions(func: &Function) -> Function {
    let mut func = func.clone();
    for block in func.blocks() {
        func.set_convergence_region(block, None);
    }
    func
}

/// Returns the headers of the regions, as the remarks have them.
fn kept(func: &Function) -> Vec<(Block, Block)> {
    let options = Options::default().with_remarks(true);
    let remarks = structurize(func.clone(), &options).unwrap().report.remarks;
    let kept = remarks.iter().filter_map(|remark| match remark.decision {
        Decision::InRegion { header } => Some((remark.block, header)),
        _ => None,
    });
    kept.collect()
}

#[test]
fn convergent_code_of_regions_keeps_its_lane_sets() {
    let (mut edges, mut differ, mut refused) = (0, 0, 0);
    let graphs = setting("TRELLIS_GRAPHS", 1200);
    for seed in 0..graphs {
        let func = function(seed);
        let mut sets = vec![Stages::ALL, Stages::NONE];
        sets.push(Stages::ALL.without(Stage::OPTIONAL[seed as usize % Stage::OPTIONAL.len()]));
        for stages in sets {
            let checks = Checks {
                stages,
                growth: 10,
                ..Checks::default()
            };
            check_function(&func, &checks).unwrap_or_else(|failure| {
                panic!("seed {seed}, {stages:?}: {failure}\n{}", print(&func))
            });
        }
        edges += kept(&func).len();
        // Without the regions the sets are different ones, if the function is reducible.
        if !is_reducible(&func) {
            continue;
        }
        let other = without_regions(&func);
        let is_checked = !func.blocks().any(|block| func.is_uniform(block));
        for (input, other) in [(&func, &other), (&other, &func)] {
            let after = structurize(other.clone(), &Options::default()).unwrap();
            let differs = check_result(input, &after, 6, LaneSets::Equal).is_err();
            let found = equivalence::check(input, &after);
            assert!(
                found.is_err() || !(differs && is_checked),
                "seed {seed}: accepted\n{}",
                print(input)
            );
            differ += u64::from(differs);
            refused += u64::from(matches!(found, Err(Difference::Loops(_))));
        }
    }
    println!(
        "edges {edges}, results with other regions {differ} whose sets differ, {refused} refused"
    );
    assert!(edges as u64 > graphs && differ > graphs / 4 && refused > differ / 2);
}

#[test]
fn a_region_is_an_edge_that_is_never_taken() {
    let with =
        |w: &str| parse(&format!("a: h\nh: b x\nb: w l\n{w}\nl: h\nx: {{conv}} ret")).unwrap();
    let region = with("w: {conv} x | region h");
    let edge = with("w: {conv} break x h");
    let after_loop = with("w: {conv} x");
    let traces = |func: &Function| {
        let config = |seed| Config {
            seed,
            ..Config::default()
        };
        let runs = (0..20).map(|seed| run_graph(func, &config(seed)).unwrap());
        runs.collect::<Vec<_>>()
    };
    assert_eq!(traces(&region), traces(&edge));
    assert_ne!(traces(&region), traces(&after_loop));
    let printed =
        |func: Function| print_structured(&structurize(func, &Options::default()).unwrap());
    assert_eq!(printed(region), printed(edge));
}

#[test]
fn regions_that_change_nothing() {
    // The blocks are in the loop anyway.
    let text = "a: h\nh: b x | region h\nb: {conv} h | region h\nx: {conv} ret";
    let func = parse(text).unwrap();
    assert_eq!(kept(&func), []);
    let printed =
        |func: Function| print_structured(&structurize(func, &Options::default()).unwrap());
    assert_eq!(printed(without_regions(&func)), printed(func));
}

#[test]
fn the_text_form_has_regions_and_results_do_not() {
    let text = "a: h\nh: l w\nw: {conv} ret | region h\nl: h";
    let func = parse(text).unwrap();
    let regions = |func: &Function| -> Vec<Option<u32>> {
        let headers = func.blocks().map(|block| func.convergence_region(block));
        headers.map(|header| header.map(Block::as_u32)).collect()
    };
    assert_eq!(regions(&func), [None, None, Some(1), None]);
    let printed = print(&func);
    assert!(printed.contains("    region b1\n    ret\n"), "{printed}");
    let again = parse(&printed).unwrap();
    assert_eq!(regions(&again), regions(&func));
    assert_eq!(print(&again), printed);
    let after = structurize(func, &Options::default()).unwrap();
    assert!(regions(&after.func).iter().all(Option::is_none));
    let unknown = parse("a: a | region b").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "line 1, column 15: expected a block that has a label, found `b`"
    );
}

#[test]
fn a_wrong_region_is_malformed() {
    for (region, message) in [
        (
            "b",
            "malformed function: b3 is in the convergence region of b2, which is not the header of a loop",
        ),
        (
            "i",
            "malformed function: b3 is in the convergence region of b4, which does not dominate it",
        ),
    ] {
        let text = format!("a: h\nh: b i\nb: h x\nx: ret | region {region}\ni: i x\n");
        let error = structurize(parse(&text).unwrap(), &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let mut func = parse("a: a b\nb: ret").unwrap();
    let [block, header] = [1, 9].map(Block::from_u32);
    func.set_convergence_region(block, Some(header));
    assert!(matches!(
        structurize(func, &Options::default()),
        Err(Error::Malformed(CheckError::MissingHeader { block: b, header: h })) if (b, h) == (block, header)
    ));
}

/// Each phi of a header gets an operand per block of the region that leaves the loop.
#[test]
fn memory_is_bounded() {
    let (phis, exits) = (2000, 1000);
    let mut text = String::from("%c = const 0 : 1\na:\n br h\nh:\n");
    for phi in 0..phis {
        text += &format!(" %p{phi} = phi : 1 [a %c] [l %c]\n");
    }
    text += " br e0\n";
    for exit in 0..exits {
        text += &format!(
            "e{exit}:\n if %c x{exit} e{}\nx{exit}:\n region h\n ret\n",
            exit + 1
        );
    }
    text += &format!("e{exits}:\n br l\nl:\n br h");
    let result = structurize(parse(&text).unwrap(), &Options::default());
    assert!(matches!(result, Err(Error::ResultTooLarge { .. })));
}

/// A lane halts at its first branch after 256 events. Here one ends after 256, in a block whose end is
/// in a separate block in the result, after a branch.
#[test]
fn a_lane_that_halts_instead_of_ending_is_no_difference() {
    let func = parse(
        "
        %v0 = undef : 3
        b0:
            %v1:2 = op 0 side
            br b1
        b1:
            %v2:1 = op 2 side
            %v3:1 = op 4
            if %v3 b2 b3
        b2:
            %v4:2 = op 6 side conv
            %v5:2 = op 7 side
            %v6:3 = op 8 conv reads
            %v7:1 = op 9 side
            br b1
        b3:
            %v8:1 = op 10 side
            %v9:1 = op 11 side conv %v8 %v0
            if %v9 b1 b4
        b4:
            %v10:1 = op 12 side
            %v11:3 = op 13 side
            %v12:1 = op 14 side
            br b5
        b5:
            %v13:2 = op 15 side
            %v14:2 = op 16 side
            %v15:1 = op 17 side
            region b1
            unreachable
        ",
    )
    .unwrap();
    check_function(&func, &Checks::default()).unwrap();
}

/// A phi has no value where control enters the function.
#[test]
fn a_phi_of_the_entry_is_malformed() {
    let func = parse("%k = const 1 : 1\na:\n %x = phi : 1 [a %k]\n op 1 side %x\n br a").unwrap();
    assert!(matches!(
        structurize(func, &Options::default()),
        Err(Error::Malformed(CheckError::EntryPhi { .. }))
    ));
}
