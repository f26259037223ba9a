//! Streams that are refused, each with its message.

use trellis_dxbc_frontend::tokens::Program;
use trellis_dxil_frontend::container::{FourCC, Part};

/// Decodes a stream of tokens after a version; the length is added.
fn decode(version: u32, tokens: &[u32]) -> Result<Program, String> {
    let words = [version, tokens.len() as u32 + 2];
    let bytes: Vec<u8> = words
        .iter()
        .chain(tokens)
        .flat_map(|t| t.to_le_bytes())
        .collect();
    let part = Part {
        fourcc: FourCC::SHADER_EX,
        offset: 0x100,
        data: &bytes,
    };
    Program::decode(&part).map_err(|error| error.to_string())
}

/// A compute shader of model 5.0.
const CS_5_0: u32 = 5 << 16 | 0x50;

/// An opcode token with a length.
fn op(code: u32, length: u32) -> u32 {
    length << 24 | code
}

/// `mov`, a destination and a source that are in two tokens each.
const MOV: u32 = 54;
/// `r0.x`, `r0.xxxx`.
const DEST: [u32; 2] = [0x0010_0012, 0];
const SOURCE: [u32; 2] = [0x0010_0006, 0];

#[test]
fn refused_streams() {
    // `x0[x0[x0[x0[x0[r0.x]].x]..]`: five operands, each in the index of the one before.
    let nested = |depth: usize| {
        let mut tokens = vec![op(MOV, 5 + 3 * depth as u32), DEST[0], DEST[1]];
        for _ in 0..depth {
            // Two indices: an immediate and a relative one with an immediate.
            tokens.extend([0x0620_300a, 0, 0]);
        }
        tokens.extend(SOURCE);
        tokens
    };
    let cases: &[(u32, Vec<u32>, &str)] = &[
        (0xffff_0300, vec![], "shader model 1 to 3: not supported"),
        (0xfffe_0200, vec![], "shader model 1 to 3: not supported"),
        (9 << 16 | 0x50, vec![], "stage is 9, expected 0 to 5"),
        (
            5 << 16 | 0x60,
            vec![],
            "shader model is 96, expected 4.0, 4.1, 5.0 or 5.1",
        ),
        (CS_5_0, vec![op(0x7ff, 1)], "opcode 2047 is unknown"),
        (CS_5_0, vec![op(107, 1)], "opcode 107 is unknown"),
        (CS_5_0, vec![op(62, 0)], "ret: length is 0 tokens, 1 remain"),
        (CS_5_0, vec![op(62, 2)], "ret: length is 2 tokens, 1 remain"),
        (
            5 << 16 | 0x40,
            vec![op(129, 1)],
            "rcp: this shader model does not have it",
        ),
        (
            CS_5_0,
            vec![op(MOV, 3), DEST[0], DEST[1]],
            "mov: operand is beyond the end",
        ),
        (
            CS_5_0,
            vec![op(MOV, 5), 0x0010_7012, 0, SOURCE[0], 0],
            "mov: register file of an operand is 7, expected a destination",
        ),
        (
            CS_5_0,
            vec![op(MOV, 4), 0x0000_0012, SOURCE[0], 0],
            "mov: number of indices is 0, expected the number that its register file has",
        ),
        (
            CS_5_0,
            vec![op(MOV, 5), DEST[0], 0, 0x0052_0006, 0],
            "mov: a 64-bit index: not supported",
        ),
        (
            CS_5_0,
            nested(4),
            "mov: nested indices: 4 exceeds the limit of 3",
        ),
        (
            CS_5_0,
            vec![op(104, 2), 5000],
            "dcl_temps: registers: 5000 exceeds the limit of 4096",
        ),
        (
            CS_5_0,
            vec![3 << 11 | 53, 4, 1, 2],
            "customdata: words is 2, expected a multiple of 4",
        ),
        (
            CS_5_0,
            vec![3 << 11 | 53, 1],
            "customdata: length is 1 tokens, 2 remain",
        ),
        (
            CS_5_0,
            vec![op(145, 3), 0, 1000],
            "dcl_function_table: a table is beyond the end",
        ),
    ];
    for (version, tokens, message) in cases {
        let error = decode(*version, tokens).unwrap_err();
        assert!(error.contains(message), "{error}\nexpected: {message}");
    }
    assert_eq!(decode(CS_5_0, &nested(2)).unwrap().items.len(), 1);
}

#[test]
fn length_beyond_the_part() {
    let bytes: Vec<u8> = [CS_5_0, 3]
        .iter()
        .flat_map(|t: &u32| t.to_le_bytes())
        .collect();
    let part = Part {
        fourcc: FourCC::SHADER,
        offset: 0,
        data: &bytes,
    };
    let error = Program::decode(&part).unwrap_err().to_string();
    assert_eq!(
        error,
        "token stream: length is 3 tokens, 0 remain (byte offset 0x4)"
    );
}
