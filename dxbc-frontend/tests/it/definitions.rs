//! Types of variables in `RDEF`.

use trellis_dxbc_frontend::{definitions, disassemble, read};
use trellis_dxil_frontend::container::Container;

use crate::assembler::assemble;

/// Returns a file with an `RDEF` of model 5.0: a buffer `name` at `u0`, whose variable has a structure with two
/// members, each of that structure.
fn of_itself() -> Vec<u8> {
    let mut part: Vec<u32> = vec![1, 60, 1, 84, 0xffff_0500, 0, 216];
    part.extend([u32::from_le_bytes(*b"RD11"), 60, 24, 32, 40, 36, 12, 0]);
    // The buffer, the binding, the variable, the type and its members.
    part.extend([216, 1, 116, 16, 0, 3]);
    part.extend([216, 8, 0, 0, 0, 0, 1, 0]);
    part.extend([216, 0, 16, 2, 156, 0, 0, 0, 0, 0]);
    part.extend([5, 1 << 16 | 1, 2 << 16, 192, 0, 0, 0, 0, 216]);
    part.extend([216, 156, 0, 216, 156, 4]);
    part.extend([u32::from_le_bytes(*b"name"), 0]);
    let mut file = assemble("ret");
    // The offset of a second part moves the first.
    let second = file.len() as u32 + 4;
    drop(file.splice(36..36, second.to_le_bytes()));
    file.extend(b"RDEF");
    file.extend((4 * part.len() as u32).to_le_bytes());
    file.extend(part.iter().flat_map(|word| word.to_le_bytes()));
    for (at, word) in [(24, file.len() as u32), (28, 2), (32, 40)] {
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    file
}

#[test]
fn a_structure_of_itself_has_no_type() {
    let file = of_itself();
    let input = read(&file).unwrap();
    let container = Container::open(&file).unwrap();
    let found = definitions(&container, &input.shader.resources);
    let found = found.unwrap().unwrap();
    assert_eq!(found.resources[0].name.as_str(), "name");
    assert!(found.annotations.structs.is_empty());
    let listing = disassemble(&file).unwrap();
    assert!(listing.contains("bind info for name\n"), "{listing}");
    assert!(
        listing.lines().count() < 1 << 16,
        "{}",
        listing.lines().count()
    );
}
