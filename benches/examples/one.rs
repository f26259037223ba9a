use structurizer_testkit::generate::{Family, Values};
use trellis_structurizer::{Options, structurize};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = Family::ALL
        .into_iter()
        .find(|f| format!("{f:?}") == a[1])
        .unwrap();
    let v = Values::ALL[a[3].parse::<usize>().unwrap()];
    let func = f.function_with(a[2].parse().unwrap(), v);
    let t = std::time::Instant::now();
    let r = structurize(func, &Options::default()).unwrap();
    println!("{:?} {}", t.elapsed(), r.order.len());
}
