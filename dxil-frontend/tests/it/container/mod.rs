//! Containers and their parts: facts of real ones, and typed errors with offsets for malformed
//! ones.

/// Bytes of a shader in `tests/data`.
macro_rules! data {
    ($name:literal) => {
        &include_bytes!(concat!("../../data/", $name, ".dxil"))[..]
    };
}

mod psv;
mod rdat;
mod rdef;
mod root_signature;

use trellis_dxil_frontend::container::*;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind, ShaderKind};
use trellis_dxil_frontend::{Error, is_dxil, read, wrong_sizes};

use crate::fuzzing;

/// Returns a container of the given parts with a zero hash.
fn container(parts: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    out.extend([1, 0, 0, 0]);
    out.extend([0; 4]);
    out.extend((parts.len() as u32).to_le_bytes());
    let mut offset = 32 + 4 * parts.len();
    for (_, data) in parts {
        out.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (name, data) in parts {
        out.extend(name);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(data);
    }
    let size = (out.len() as u32).to_le_bytes();
    out[24..28].copy_from_slice(&size);
    out
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn patch(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Returns the text of an error from opening changed bytes.
fn open_error(change: impl Fn(&mut Vec<u8>)) -> String {
    let mut bytes = data!("pixel").to_vec();
    change(&mut bytes);
    Container::open(&bytes).unwrap_err().to_string()
}

#[test]
fn parts_and_programs() {
    let c = Container::open(data!("pixel_debug")).unwrap();
    let names: Vec<String> = c.parts().map(|p| p.fourcc.to_string()).collect();
    assert_eq!(
        names,
        [
            "SFI0", "ISG1", "OSG1", "PSV0", "ILDB", "STAT", "ILDN", "HASH", "DXIL"
        ]
    );
    let programs: Vec<Program> = c.programs().map(Result::unwrap).collect();
    assert_eq!(
        programs.iter().map(|p| p.part).collect::<Vec<_>>(),
        [FourCC::DEBUG_PROGRAM, FourCC::STATISTICS, FourCC::DXIL]
    );
    for p in &programs {
        assert_eq!(
            (p.kind, p.model.major, p.dxil_version.minor),
            (ShaderKind::Pixel, 6, 0)
        );
        assert_eq!(&p.bitcode[..4], b"BC\xC0\xDE");
        assert_eq!(&c.bytes()[p.offset..p.offset + p.bitcode.len()], p.bitcode);
    }
    assert_eq!(c.main_program().unwrap().part, FourCC::DXIL);
    assert!(c.debug_name().unwrap().unwrap().contains(".pdb"));
    let digest = c.shader_hash().unwrap().unwrap().digest;
    assert_eq!(
        format!("{:02x}{:02x}", digest[0], digest[1]),
        &c.debug_name().unwrap().unwrap()[..4]
    );
    assert!(
        c.root_signature().unwrap().is_none()
            && c.compiler_version().unwrap().is_none()
            && c.runtime_data().unwrap().is_none()
    );
}

#[test]
fn malformed_headers() {
    assert_eq!(
        open_error(|b| b[0] = b'X'),
        "DXBC part: the input begins with \"XXBC\", expected \"DXBC\", \"BC\" C0DE or 0x0B17C0DE (byte offset 0x0)"
    );
    assert_eq!(
        open_error(|b| b[20] = 9),
        "DXBC part: major version is 9, expected 1 (byte offset 0x14)"
    );
    assert_eq!(
        open_error(|b| b.truncate(31)),
        "DXBC part: container needs 5540 bytes, 31 remain (byte offset 0x18)"
    );
    assert_eq!(
        open_error(|b| b.truncate(10)),
        "DXBC part: hash needs 16 bytes, 6 remain (byte offset 0x4)"
    );
    assert_eq!(
        open_error(|b| patch(b, 28, u32::MAX)),
        "DXBC part: part table needs 17179869180 bytes, 5508 remain (byte offset 0x20)"
    );
    assert_eq!(
        open_error(|b| patch(b, 32, 5533)),
        "DXBC part: part offset 5533 is out of range, expected less than 5533 (byte offset 0x20)"
    );
    assert_eq!(
        open_error(|b| patch(b, 36, 8)),
        "DXBC part: part offset 8 is out of range, expected less than 5533 (byte offset 0x24)"
    );
    let isg1 = Container::open(data!("pixel"))
        .unwrap()
        .part(FourCC::INPUT_SIGNATURE)
        .unwrap()
        .offset;
    let e = open_error(|b| patch(b, isg1 - 4, 9_999_999));
    assert!(
        e.starts_with("ISG1 part: part needs 9999999 bytes, "),
        "{e}"
    );
    assert!(
        e.ends_with(&format!("(byte offset {:#x})", isg1 - 4)),
        "{e}"
    );
    let empty = container(&[]);
    assert_eq!(
        Container::open(&empty)
            .unwrap()
            .main_program()
            .unwrap_err()
            .kind,
        ContainerErrorKind::NoProgram
    );
}

#[test]
fn every_truncation_is_an_error() {
    for name in [data!("pixel"), data!("library")] {
        for len in 0..name.len() {
            assert!(Container::open(&name[..len]).is_err(), "{len}");
        }
    }
}

#[test]
fn front_door() {
    let bytes = data!("pixel");
    let c = Container::open(bytes).unwrap();
    let bitcode = c.main_program().unwrap().bitcode;
    let raw = read(bitcode).unwrap();
    assert!(raw.container.is_none());
    let mut wrapped = words(&[0x0B17_C0DE, 0, 20, bitcode.len() as u32, 0]);
    wrapped.extend(bitcode);
    assert_eq!(read(&wrapped).unwrap().shader, raw.shader);
    assert!(matches!(read(b"hello").unwrap_err(), Error::Container(_)));
    assert!(matches!(read(b"").unwrap_err(), Error::Container(_)));
    assert!(matches!(
        read(b"BC\xC0\xDE").unwrap_err(),
        Error::Bitcode(_)
    ));
}

/// Sizes that are too small or too large are reported, and the contents are read.
#[test]
fn wrong_sizes_of_headers() {
    let expected = read(data!("pixel")).unwrap();
    let dxil = Container::open(data!("pixel")).unwrap();
    let dxil = dxil.part(FourCC::DXIL).unwrap();
    let (file, part) = (data!("pixel").len(), dxil.data.len());
    for (at, value, warning) in [
        (
            24,
            0,
            format!("DXBC: the header gives 0 bytes, there are {file}"),
        ),
        (
            24,
            99,
            format!("DXBC: the header gives 99 bytes, there are {file}"),
        ),
        (
            dxil.offset + 4,
            1 << 20,
            format!("DXIL: the header gives 4194304 bytes, there are {part}"),
        ),
    ] {
        let mut bytes = data!("pixel").to_vec();
        patch(&mut bytes, at, value);
        assert_eq!(read(&bytes).unwrap().shader, expected.shader);
        let found: Vec<String> = wrong_sizes(&bytes)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(found, [warning]);
    }
    assert_eq!(wrong_sizes(data!("pixel")), []);
}

#[test]
fn a_program_header_of_another_stage_is_an_error() {
    let mut bytes = data!("pixel").to_vec();
    let dxil = Container::open(data!("pixel")).unwrap();
    let dxil = dxil.part(FourCC::DXIL).unwrap().offset;
    patch(&mut bytes, dxil, 0x1_0060);
    let error = read(&bytes).unwrap_err().to_string();
    let expected = "DXIL part: shader kind is 1, expected the stage of dx.shaderModel";
    assert_eq!(error, format!("{expected} (byte offset {dxil:#x})"));
}

#[test]
fn a_program_part_without_container() {
    let part = Container::open(data!("pixel")).unwrap();
    let part = part.part(FourCC::DXIL).unwrap().data;
    assert!(is_dxil(part));
    let input = read(part).unwrap();
    assert!(input.container.is_none());
    assert_eq!(input.shader.entry_points.len(), 1);
}

/// Returns the PDB of a container: blocks 0 header, 1 and 2 free maps, 3 list of the directory's
/// blocks, 4 directory, 5 another stream, then the container.
fn pdb(container: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 512;
    let count = container.len().div_ceil(BLOCK) as u32;
    let sizes = [0, 56, 0, u32::MAX, 0, container.len() as u32];
    let mut directory = vec![6];
    directory.extend(sizes);
    directory.extend(5..6 + count);
    let bytes = 4 * directory.len() as u32;
    let mut header = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0".to_vec();
    header.extend(words(&[BLOCK as u32, 1, 6 + count, bytes, 0, 3]));
    let blocks = [header, vec![], vec![], words(&[4]), words(&directory)];
    let mut file = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        file.extend(block);
        file.resize((index + 1) * BLOCK, 0);
    }
    file.resize(6 * BLOCK, 0);
    file.extend(container);
    file.resize(file.len().next_multiple_of(BLOCK), 0);
    file
}

#[test]
fn the_container_of_a_pdb() {
    let file = pdb(data!("pixel"));
    assert!(is_dxil(&file));
    let Source::Container(container) = Source::open(&file).unwrap() else {
        panic!("a container")
    };
    assert_eq!(container.bytes(), data!("pixel"));
    for len in 0..file.len() - 512 {
        assert!(read(&file[..len]).is_err(), "{len}");
    }
    // Blocks in another order, and fewer streams.
    for (at, value, error) in [
        (
            4 * 512 + 4 * 9,
            20,
            "MSF7 part: stream's block is 20, expected the next block",
        ),
        (
            4 * 512,
            5,
            "MSF7 part: stream count is 5, expected 6 or more",
        ),
        (32, 0, "MSF7 part: block size is 0, expected more than 0"),
    ] {
        let mut file = file.clone();
        patch(&mut file, at, value);
        let found = read(&file).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}");
    }
}

#[test]
fn malformed_parts() {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    };
    let bytes = |token: &str| match token.split_at(1) {
        ("\"", text) => text.trim_end_matches('"').as_bytes().to_vec(),
        ("b", byte) => vec![byte.parse().unwrap()],
        _ => words(&[number(token)]),
    };
    let (mut part, mut base) = ("", Vec::new());
    for line in include_str!("../../data/malformed_parts.txt").lines() {
        let (line, message) = line.split_once('|').unwrap_or((line, ""));
        let mut tokens = line.split_whitespace();
        let mut data = base.clone();
        match tokens.next() {
            None | Some("#") => continue,
            Some("+") => tokens.for_each(|token| {
                let (at, value) = token.split_once('=').unwrap();
                patch(&mut data, 4 * at.parse::<usize>().unwrap(), number(value));
            }),
            Some(name) => {
                (part, base) = (name, tokens.flat_map(bytes).collect());
                data.clone_from(&base);
            }
        }
        let bytes = container(&[(part.as_bytes().try_into().unwrap(), data)]);
        let found = fuzzing::container(&bytes).map_or_else(|e| e.to_string(), |()| String::new());
        assert_eq!(found, message.trim_start(), "{line}");
    }
}

#[test]
fn hash_states() {
    // The container of an empty root signature 1.0, with the hash that D3D's own serializer writes
    // into it.
    let mut bytes = container(&[(*b"RTS0", words(&[1, 0, 24, 0, 24, 0]))]);
    bytes[4..20].copy_from_slice(&words(&[
        0xD64A_FC1D,
        0x5DC2_7735,
        0x9EDA_CB4A,
        0x6BD8_A7FA,
    ]));
    let status = |bytes: &[u8]| Container::open(bytes).unwrap().check_hash();
    assert_eq!(status(&bytes), HashStatus::Valid);
    let mut bytes = container(&[(*b"PRIV", vec![7; 70])]);
    assert_eq!(status(&bytes), HashStatus::Unsigned);
    bytes[4..20].fill(2);
    assert_eq!(status(&bytes), HashStatus::Bypass);
    bytes[4..20].fill(9);
    let HashStatus::Invalid { stored, computed } = status(&bytes) else {
        panic!("a wrong hash")
    };
    assert_eq!(stored, [9; 16]);
    bytes[4..20].copy_from_slice(&computed);
    assert_eq!(status(&bytes), HashStatus::Valid);
    bytes[60] ^= 1;
    assert!(matches!(status(&bytes), HashStatus::Invalid { .. }));
}

#[test]
fn signatures() {
    let c = Container::open(data!("geometry")).unwrap();
    let input = c.input_signature().unwrap().unwrap();
    let facts: Vec<_> = input
        .iter()
        .map(|e| {
            (
                e.name,
                e.index,
                e.system_value,
                e.component_type,
                e.register,
                e.mask,
                e.usage_mask,
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("SV_Position", 0, 1, 3, 0, 15, 15),
            ("TEXCOORD", 0, 0, 3, 1, 3, 3),
            ("SV_PrimitiveID", 0, 7, 1, u32::MAX, 1, 0)
        ]
    );
    assert_eq!(c.output_signature().unwrap().unwrap().len(), 2);
    let hull = Container::open(data!("hull")).unwrap();
    assert_eq!(hull.patch_constant_signature().unwrap().unwrap().len(), 5);
}

/// Elements of DXBC before `ISG1` lack the minimum precision, and the stream except in `OSG5`.
#[test]
fn earlier_signatures() {
    let element = |stream: &[u32], name| {
        let fields = [stream, &[name, 2, 0, 3, 4, 0x0103]].concat();
        words(&[&[1, 8][..], &fields].concat())
    };
    let name = b"COLOR\0".as_slice();
    let bytes = container(&[
        (*b"ISGN", [&element(&[], 32), name].concat()),
        (*b"OSG5", [&element(&[3], 36), name].concat()),
        (*b"PCSG", [&element(&[], 32), name].concat()),
    ]);
    let c = Container::open(&bytes).unwrap();
    let facts = |elements: Result<Option<Vec<PartSignatureElement>>, _>| {
        let e = elements.unwrap().unwrap()[0];
        (
            e.stream,
            e.name.to_owned(),
            e.index,
            e.register,
            e.mask,
            e.usage_mask,
            e.min_precision,
        )
    };
    let expected = |stream| (stream, "COLOR".to_owned(), 2, 4, 3, 1, 0);
    assert_eq!(facts(c.input_signature()), expected(0));
    assert_eq!(facts(c.output_signature()), expected(3));
    assert_eq!(facts(c.patch_constant_signature()), expected(0));
}

#[test]
fn small_parts() {
    let mut vers = vec![1, 0, 8, 0];
    vers.extend(words(&[2, 4321, 11]));
    vers.extend(b"abc123\0dxc\0");
    let mut srci = words(&[36, 2 << 16]);
    srci.extend(words(&[12, 1 << 16, 0x6867_6665]));
    srci.extend(words(&[8, 2 << 16]));
    let mut pdbi = words(&[1 << 16, 4, 99]);
    pdbi.extend(b"zlib");
    let bytes = container(&[
        (*b"VERS", vers),
        (*b"SRCI", srci),
        (*b"PDBI", pdbi),
        (*b"XYZ!", vec![1, 2, 3]),
    ]);
    let c = Container::open(&bytes).unwrap();
    let v = c.compiler_version().unwrap().unwrap();
    assert_eq!(
        (v.major, v.minor, v.flags, v.commit_count, v.strings),
        (1, 8, 2, 4321, vec!["abc123", "dxc"])
    );
    let sections: Vec<_> = c
        .source_info()
        .unwrap()
        .unwrap()
        .iter()
        .map(|s| (s.kind, s.data.to_vec()))
        .collect();
    assert_eq!(sections, [(1, b"efgh".to_vec()), (2, vec![])]);
    let p = c.pdb_info().unwrap().unwrap();
    assert_eq!(
        (p.version, p.compression, p.uncompressed_size, p.data),
        (0, 1, 99, &b"zlib"[..])
    );
    assert_eq!(c.part(FourCC(*b"XYZ!")).unwrap().data, [1, 2, 3]);
}
