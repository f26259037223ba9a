//! `cargo xtask campaign`: what is run long. CI runs a tenth of it in the profile of the tests, and all
//! of it at night.

use std::process::{Command, ExitCode};

use clap::Args;

/// Arguments of the task.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Run about a tenth of each campaign, as CI does; those that cannot be split are left out with a
    /// message.
    #[arg(long)]
    tenth: bool,
    /// Run only these campaigns; without it, all of them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_name)]
    only: Vec<&'static str>,
    /// Print the names of the campaigns and run none.
    #[arg(long)]
    list: bool,
}

/// A campaign: arguments of cargo. `{xtask}` is the command that runs this program, in the profile that
/// fits.
struct Campaign {
    name: &'static str,
    full: &'static str,
    /// None if it cannot be split.
    tenth: Option<&'static str>,
}

const CAMPAIGNS: [Campaign; 13] = [
    Campaign {
        name: "programs",
        full: "{xtask} differential --seeds 0..10000",
        tenth: Some("{xtask} differential --seeds 0..400"),
    },
    Campaign {
        name: "data",
        full: "{xtask} differential --kind hlsl-types --seeds 0..1000",
        tenth: Some("{xtask} differential --kind hlsl-types --seeds 0..100"),
    },
    Campaign {
        name: "vectors",
        full: "{xtask} differential --kind hlsl-vectors --seeds 0..1000",
        tenth: Some("{xtask} differential --kind hlsl-vectors --seeds 0..100"),
    },
    Campaign {
        name: "shapes",
        full: "{xtask} differential --kind hlsl-shapes --seeds 0..3000",
        tenth: Some("{xtask} differential --kind hlsl-shapes --seeds 0..300"),
    },
    Campaign {
        name: "structured-programs",
        full: "test --release -p trellis-structurizer --test it -- source_tree:: natural::",
        // `cargo xtask test` has a tenth of them.
        tenth: None,
    },
    Campaign {
        name: "graphs",
        full: "{xtask} stress --count 100000",
        tenth: Some("{xtask} stress --count 10000"),
    },
    Campaign {
        name: "damage",
        full: "test --release -p trellis-structurizer --test it -- equivalence::",
        // `cargo xtask test` has a fiftieth of it.
        tenth: None,
    },
    Campaign {
        name: "optimum",
        full: "{xtask} optimum --published structurizer/README.md",
        tenth: Some("{xtask} optimum --published structurizer/README.md"),
    },
    Campaign {
        name: "every-small-graph",
        full: "{xtask} optimum --check --only-check",
        tenth: Some("{xtask} optimum --check --only-check --part 1/10"),
    },
    Campaign {
        name: "mutants",
        full: "run --release --features validate -p xtask -- mutate --count 100000 --strict",
        tenth: None,
    },
    Campaign {
        name: "growth",
        full: "run --release -p benches --bin growth -- --check",
        tenth: None,
    },
    Campaign {
        name: "wasmtime",
        full: "test -p structurizer-examples --features wasmtime --test wasm",
        tenth: None,
    },
    Campaign {
        name: "ray",
        full: "{xtask} python --ray",
        tenth: None,
    },
];

fn parse_name(text: &str) -> Result<&'static str, String> {
    let names = CAMPAIGNS.each_ref().map(|campaign| campaign.name);
    let found = names.into_iter().find(|&name| name == text);
    found.ok_or_else(|| format!("expected some of {}", names.join(", ")))
}

/// Runs the campaigns one after the other, each to its end.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let is_chosen = |c: &&Campaign| arguments.only.is_empty() || arguments.only.contains(&c.name);
    let mut failed = Vec::new();
    for campaign in CAMPAIGNS.iter().filter(is_chosen) {
        if arguments.list {
            println!(
                "{}: cargo {}",
                campaign.name,
                expanded(campaign.full, "--release ")
            );
            continue;
        }
        let command = match (arguments.tenth, campaign.tenth) {
            (false, _) => expanded(campaign.full, "--release "),
            (true, Some(tenth)) => expanded(tenth, ""),
            (true, None) => {
                println!("# {}: left to `cargo xtask campaign`", campaign.name);
                continue;
            }
        };
        println!("# {}: cargo {command}", campaign.name);
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut process = Command::new(cargo);
        process.args(command.split_whitespace());
        // Long vectors need a newer compiler than the one that the script installs.
        if let (true, Some(path)) = (
            campaign.name == "vectors",
            std::env::var_os("TRELLIS_LATEST_DXC"),
        ) {
            process.arg("--latest-dxc").arg(path);
        }
        if !arguments.tenth {
            process.env("TRELLIS_PROGRAMS", "100000");
            process.env("TRELLIS_MUTANTS", "1000000");
        }
        if !process.status().is_ok_and(|status| status.success()) {
            failed.push(campaign.name);
        }
    }
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("failed: {}", failed.join(", "));
    ExitCode::FAILURE
}

fn expanded(arguments: &str, profile: &str) -> String {
    arguments.replace("{xtask}", &format!("run --quiet {profile}-p xtask --"))
}

#[cfg(test)]
mod tests {
    use super::{CAMPAIGNS, parse_name};

    #[test]
    fn names_are_different() {
        for campaign in &CAMPAIGNS {
            assert_eq!(parse_name(campaign.name), Ok(campaign.name));
        }
        assert!(parse_name("none").is_err());
    }
}
