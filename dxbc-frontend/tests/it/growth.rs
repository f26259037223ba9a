//! Long, deep and repetitive programs: linear time, or a typed error.

use std::time::{Duration, Instant};

use trellis_dxbc_frontend::read;

/// Tokens of a compute shader.
struct Tokens(Vec<u32>);

/// First tokens of an operand: `r#.x` as source and as destination, an immediate, a label.
const SOURCE: u32 = 0x0010_000a;
const DEST: u32 = 0x0010_0012;
const IMMEDIATE: u32 = 0x0000_4001;
const LABEL: u32 = 0x0010_a000;

impl Tokens {
    fn new() -> Self {
        let mut tokens = Self(vec![0x0005_0050, 0]);
        // dcl_temps 4; dcl_thread_group 1, 1, 1; dcl_uav_raw u0
        tokens.op(104, &[4]);
        tokens.op(155, &[1, 1, 1]);
        tokens.op(157, &[0x0011_e000, 0]);
        tokens
    }
    fn op(&mut self, code: u32, rest: &[u32]) {
        self.0.push(code | (rest.len() as u32 + 1) << 24);
        self.0.extend(rest);
    }
    fn add(&mut self, dest: u32, source: u32) {
        self.op(30, &[DEST, dest, SOURCE, source, IMMEDIATE, 1]);
    }
    /// `if_nz r0.x`
    fn if_nz(&mut self) {
        self.op(31 | 1 << 18, &[SOURCE, 0]);
    }
    fn endif(&mut self) {
        self.op(21, &[]);
    }
    fn call(&mut self, label: u32) {
        self.op(4, &[LABEL, label]);
    }
    fn ret(&mut self) {
        self.op(62, &[]);
    }
    /// Stores `r#.x`, returns, and translates the program: the error's text, or nothing.
    fn translate(mut self, stored: u32) -> String {
        self.op(166, &[0x0011_e012, 0, IMMEDIATE, 0, SOURCE, stored]);
        self.ret();
        self.finish()
    }
    fn finish(mut self) -> String {
        self.0[1] = self.0.len() as u32;
        let mut bytes = b"DXBC".to_vec();
        let size = 4 * self.0.len() as u32;
        let header = [
            0,
            0,
            0,
            0,
            1,
            44 + size,
            1,
            36,
            u32::from_le_bytes(*b"SHEX"),
            size,
        ];
        let words = header.iter().chain(&self.0);
        bytes.extend(words.flat_map(|word| word.to_le_bytes()));
        let start = Instant::now();
        let result = read(&bytes);
        // Quadratic steps take minutes.
        assert!(start.elapsed() < Duration::from_secs(20));
        result.map_or_else(|error| error.to_string(), |_| String::new())
    }
}

#[test]
fn long_row_of_ifs() {
    let mut tokens = Tokens::new();
    for _ in 0..200_000 {
        tokens.if_nz();
        tokens.add(1, 2);
        tokens.endif();
    }
    assert_eq!(tokens.translate(3), "");
}

#[test]
fn deep_ifs_and_loops() {
    let mut tokens = Tokens::new();
    for _ in 0..2000 {
        tokens.if_nz();
        tokens.add(1, 1);
    }
    for _ in 0..2000 {
        tokens.endif();
    }
    // loop; breakc_nz r0.x
    for _ in 0..1000 {
        tokens.op(48, &[]);
        tokens.op(3 | 1 << 18, &[SOURCE, 0]);
        tokens.add(2, 2);
    }
    for _ in 0..1000 {
        tokens.op(22, &[]);
    }
    assert_eq!(tokens.translate(1), "");
}

/// Bodies are translated in place: each level doubles their number.
#[test]
fn doubling_calls() {
    let mut tokens = Tokens::new();
    tokens.call(0);
    tokens.ret();
    for label in 0..30 {
        tokens.op(44, &[LABEL, label]);
        tokens.add(1, 1);
        tokens.call(label + 1);
        tokens.call(label + 1);
        tokens.ret();
    }
    tokens.op(44, &[LABEL, 30]);
    tokens.ret();
    let error = tokens.finish();
    assert!(error.contains("exceeds the limit of"), "{error}");
}

#[test]
fn recursive_call() {
    let mut tokens = Tokens::new();
    tokens.call(0);
    tokens.ret();
    tokens.op(44, &[LABEL, 0]);
    tokens.call(0);
    tokens.ret();
    let error = tokens.finish();
    assert!(error.contains("nested calls"), "{error}");
}
