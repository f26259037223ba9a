//! Structured programs come back after LLVM's optimizer. `TRELLIS_PROGRAMS` sets the number.
//!
//! Long runs: `cargo campaign differential --kind optimized`.

use llvm_graphs::optimized::{LEVELS, Optimizer};
use llvm_graphs::recovered::{CampaignOptions, Cause, Pipeline, run};

/// Share of programs, in percent, whose structure is recovered. A ratchet.
const SAME: f64 = 97.0;

#[test]
fn programs_come_back_after_llvm() {
    let number = std::env::var("TRELLIS_PROGRAMS").ok();
    let options = CampaignOptions {
        levels: &LEVELS,
        seeds: 0..number.as_ref().map_or(3000, |text| text.parse().unwrap()),
        // Slow machines run fewer.
        minutes: number.is_none().then_some(1.5),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        shows: false,
    };
    let open = || -> Result<Box<dyn Pipeline>, String> {
        let optimizer = Optimizer::new().map_err(|error| error.to_string())?;
        Ok(Box::new(optimizer))
    };
    let summary = run(&options, &open, &|_| {}).unwrap();
    println!("{summary}");
    assert!(summary.programs >= 500, "{summary}");
    assert!(summary.with_exits * 5 > summary.programs, "{summary}");
    for level in LEVELS {
        let row = &summary.rows[level];
        assert!(row.errors.is_empty() && row.refused.is_empty(), "{summary}");
        assert!(row.percentage() >= SAME, "{summary}\n{:?}", row.seeds);
        assert!(row.copied * 5 > row.programs, "{summary}");
        // A path that the source does not have would be a bug of the structurizer.
        assert!(!row.causes.contains_key(&Cause::Paths), "{summary}");
    }
}
