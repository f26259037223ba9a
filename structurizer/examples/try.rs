//! Reads a text graph, prints the structured function.
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let f = structurizer::text::parse(&s).unwrap();
    let mut o = structurizer::Options::default();
    o.verify = false;
    let r = structurizer::structurize(f, &o).unwrap();
    println!("{}", structurizer::text::print_structured(&r));
    println!("{:?}", r.report);
    println!("{:?}", structurizer::verify::verify(&r));
}
