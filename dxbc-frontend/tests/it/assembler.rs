//! Assembles small compute shaders from the listing's syntax.

use trellis_dxbc_frontend::tokens::{OpInfo, OperandRole, TABLE};

/// Opcodes of declarations.
const CUSTOM_DATA: u32 = 53;
const DCL_TEMPS: u32 = 104;
const DCL_INDEXABLE_TEMP: u32 = 105;
const DCL_GLOBAL_FLAGS: u32 = 106;
const DCL_THREAD_GROUP: u32 = 155;
const DCL_UAV_RAW: u32 = 157;
const DCL_TGSM_RAW: u32 = 159;
const DCL_TGSM_STRUCTURED: u32 = 160;

/// Returns the container of a shader of model 5.0 with one thread. It has `u0`, a raw buffer,
/// `r0` to `r7`, `x0[4]` with four components, groupshared memory `g0` of 64 bytes and `g1` of eight
/// structures of 8 bytes, and an immediate constant buffer with the floats 1
/// to 4 and the integers 5 to 8.
pub(crate) fn assemble(text: &str) -> Vec<u8> {
    let mut words = vec![5 << 16 | 0x50, 0];
    let icb = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits);
    words.extend([3 << 11 | CUSTOM_DATA, 10]);
    words.extend(icb);
    words.extend([5, 6, 7, 8]);
    words.extend([1 << 24 | DCL_GLOBAL_FLAGS]);
    words.extend([3 << 24 | DCL_UAV_RAW, 0x0011_e000, 0]);
    words.extend([4 << 24 | DCL_TGSM_RAW, 0x0011_f000, 0, 64]);
    words.extend([5 << 24 | DCL_TGSM_STRUCTURED, 0x0011_f000, 1, 8, 8]);
    words.extend([2 << 24 | DCL_TEMPS, 8]);
    words.extend([4 << 24 | DCL_INDEXABLE_TEMP, 0, 4, 4]);
    words.extend([4 << 24 | DCL_THREAD_GROUP, 1, 1, 1]);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        instruction(line, &mut words);
    }
    words[1] = words.len() as u32;
    let size = 4 * words.len() as u32;
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    // Version, size of the file, one part and its offset; then the part.
    let header = [1, 44 + size, 1, 36, u32::from_le_bytes(*b"SHEX"), size];
    file.extend(header.iter().chain(&words).flat_map(|w| w.to_le_bytes()));
    file
}

fn instruction(line: &str, words: &mut Vec<u32>) {
    let (mnemonic, operands) = line.split_once(' ').unwrap_or((line, ""));
    let (name, nonzero) = match mnemonic.strip_suffix("_nz") {
        Some(name) => (name, true),
        None => (mnemonic.strip_suffix("_z").unwrap_or(mnemonic), false),
    };
    let (name, saturate) = match name.strip_suffix("_sat") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let info: &OpInfo = TABLE
        .iter()
        .find(|info| info.name == name)
        .unwrap_or_else(|| panic!("no opcode {name}"));
    let start = words.len();
    words.push(info.op as u32 | u32::from(nonzero) << 18 | u32::from(saturate) << 13);
    let mut rest = operands;
    for (i, role) in info.operands.iter().enumerate() {
        // Commas in parentheses and brackets do not end an operand.
        let mut depth = 0;
        let end = rest.find(|c: char| {
            depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
            depth == 0 && c == ','
        });
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.trim_start_matches([',', ' ']);
        let is_written = matches!(role, OperandRole::Dest(_))
            || *role == OperandRole::Memory && i == 0 && name.starts_with("store");
        operand(text.trim(), is_written, words);
    }
    words[start] |= ((words.len() - start) as u32) << 24;
}

/// Appends an operand: `-|r0.x|`, `r0.x{min16f}`, `x0[r1.x + 2].y`, `icb[3].x`, `l(1, 2, 3, 4)`, `d(1.5)`
/// for both doubles.
fn operand(text: &str, is_written: bool, words: &mut Vec<u32>) {
    let (text, neg) = text.strip_prefix('-').map_or((text, 0), |text| (text, 1));
    let half = text.strip_suffix("{min16f}");
    let (text, is_half) = (half.unwrap_or(text), u32::from(half.is_some()));
    let inner = text
        .strip_prefix('|')
        .and_then(|text| text.strip_suffix('|'));
    let (text, modifier) = inner.map_or((text, neg), |text| (text, neg | 2));
    if let Some(numbers) = text.strip_prefix("l(") {
        let numbers: Vec<u32> = numbers
            .trim_end_matches(')')
            .split(',')
            .map(number)
            .collect();
        words.push(if numbers.len() == 1 { 0x4001 } else { 0x4e46 });
        words.extend(numbers);
        return;
    }
    if let Some(double) = text.strip_prefix("d(") {
        let bits = double
            .trim_end_matches(')')
            .parse::<f64>()
            .unwrap()
            .to_bits();
        let [low, high] = [bits as u32, (bits >> 32) as u32];
        words.extend([0x5e46, low, high, low, high]);
        return;
    }
    let at = words.len();
    words.push(0);
    let extended = 1 | modifier << 6 | is_half << 14;
    let is_extended = u32::from(extended != 1) << 31;
    if extended != 1 {
        words.push(extended);
    }
    let (register, components) = match text.rsplit_once('.') {
        Some((register, components)) if !components.contains(']') => (register, components),
        _ => (text, ""),
    };
    let selection = if components.is_empty() {
        0
    } else if is_written {
        let mask = components.bytes().map(|c| 1 << component(c));
        2 | mask.fold(0u32, |all, bit| all | bit) << 4
    } else {
        let last = components.len() - 1;
        let swizzle = (0..4).map(|i| component(components.as_bytes()[i.min(last)]) << (2 * i));
        2 | 1 << 2 | swizzle.fold(0u32, |all, c| all | c) << 4
    };
    let name_end = register.find(|c: char| c.is_ascii_digit() || c == '[');
    let (name, numbers) = register.split_at(name_end.unwrap_or(register.len()));
    let file = [
        "r", "v", "o", "x", "", "", "s", "t", "cb", "icb", "label", "", "", "null",
    ]
    .iter()
    .position(|&file| file == name)
    .unwrap_or(if name == "g" { 31 } else { 30 }) as u32;
    let (first, second) = numbers.split_once('[').unwrap_or((numbers, ""));
    let indices = [first, second.trim_end_matches(']')];
    let mut count = 0;
    let mut representations = 0;
    for index in indices.iter().filter(|index| !index.is_empty()) {
        let (relative, base) = match index.split_once('+') {
            Some((relative, base)) => (Some(relative.trim()), base.trim()),
            None => (None, *index),
        };
        words.push(number(base));
        if let Some(relative) = relative {
            operand(relative, false, words);
            representations |= 3 << (3 * count);
        }
        count += 1;
    }
    words[at] = is_extended | selection | file << 12 | count << 20 | representations << 22;
}

fn component(c: u8) -> u32 {
    "xyzw".bytes().position(|known| known == c).unwrap() as u32
}

/// Returns the bits of a number; it is a float if it has a point.
fn number(text: &str) -> u32 {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).unwrap();
    }
    if text.contains('.') {
        return text.parse::<f32>().unwrap().to_bits();
    }
    text.parse::<i64>().unwrap() as u32
}
