//! Runs a text graph before and after structurization and prints both traces, lane by lane.

use structurizer_testkit::simt::{Config, run_graph, run_structured_like};
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, structurize};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(
        arguments
            .next()
            .ok_or("usage: trace GRAPH.cfg [SEED [LITERAL_RANGE]]")?,
    )?;
    let number = |text: Option<String>, default: u64| {
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let seed = number(arguments.next(), 0);
    let config = Config {
        seed,
        switch_range: number(arguments.next(), 2),
        ..Config::default()
    };
    let func = parse(&text)?;
    let before = run_graph(&func, &config)?;
    let after = run_structured_like(&structurize(func, &Options::default())?, &config, &before)?;
    for (lane, (before, after)) in before.lanes.iter().zip(&after.lanes).enumerate() {
        println!(
            "lane {lane}: {} events before, {} after",
            before.len(),
            after.len()
        );
        for index in 0..before.len().max(after.len()) {
            let show = |event: Option<&structurizer_testkit::simt::Event>| {
                event.map_or("-".to_owned(), |event| {
                    format!("{:?} {:08b}", event.kind, event.lanes)
                })
            };
            let mark = if before.get(index) == after.get(index) {
                ' '
            } else {
                '!'
            };
            println!(
                "{mark} {index:4} {:40} {}",
                show(before.get(index)),
                show(after.get(index))
            );
        }
    }
    Ok(())
}
