//! SPIR-V that DXC made, unchanged and without merge instructions.

use trellis_restructure::{Profile, restructure};

use crate::common::{corpus, validate, without_merges};

#[test]
fn modules_without_merges_become_valid() {
    let mut failures = Vec::new();
    let (mut tested, mut invalid) = (0, 0);
    for (path, words) in corpus() {
        if validate(&words).is_err() {
            // Several payloads of a ray tracing or task shader: spirv-val refuses DXC's output.
            invalid += 1;
            continue;
        }
        tested += 1;
        for (what, input) in [
            ("", words.clone()),
            (" without merges", without_merges(&words)),
        ] {
            for (name, profile) in Profile::ALL {
                let result = restructure(&input, profile)
                    .map_err(|error| error.to_string())
                    .and_then(|words| validate(&words));
                if let Err(error) = result {
                    failures.push(format!("{}{what} for {name}: {error}", path.display()));
                }
            }
        }
    }
    println!("{tested} modules, {invalid} invalid ones");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tested > 600 && invalid < 60, "{tested}, {invalid}");
}
