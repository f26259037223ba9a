//! Random check.
use structurizer::{simt::*, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (s, e, n): (u64, u64, usize) = (a[1].parse().unwrap(), a[2].parse().unwrap(), a[3].parse().unwrap());
    let mut fails = 0;
    let mut sel = 0u64;
    for seed in s..e {
        let f = generate::random_function(seed, n);
        let mut o = Options::default();
        o.verify = false;
        if a.len() > 5 {
            println!("{}", text::print(&f));
        }
        let mut err = None;
        match structurize(f.clone(), &o) {
            Err(x) => err = Some(format!("{x}")),
            Ok(r) => {
                sel += r.report.selectors as u64;
                if let Err(x) = verify::verify(&r) {
                    err = Some(format!("verify {x}"));
                }
            }
        }
        if let Some(x) = err {
            fails += 1;
            if fails < 12 {
                println!("seed {seed} blocks {}: {x}", f.num_blocks());
            }
            if a.len() > 4 {
                println!("{}", text::print(&f));
            }
        }
    }
    println!("fails {fails} selectors {sel}");
}
