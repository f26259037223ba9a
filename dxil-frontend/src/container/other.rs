//! Files that are not compiled shaders, which people pass by mistake.

use super::{ContainerError, ContainerErrorKind, FourCC, RootSignature};

/// First bytes of file formats, and their names.
const MAGICS: [(&[u8], &str); 8] = [
    (&[0x03, 0x02, 0x23, 0x07], "SPIR-V"),
    (&[0x07, 0x23, 0x02, 0x03], "SPIR-V"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"7z\xBC\xAF", "a 7z archive"),
    (&[0x1F, 0x8B], "a gzip archive"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    (b"\xFF\xFE", "UTF-16 text, such as HLSL"),
];

/// Bytes at the start of a file that show whether it is text.
const START: usize = 512;

/// Returns the format of a file that does not start as a compiled shader does, if it is known, in
/// words for "the input is …". It looks at the start, and at a root signature as a whole.
///
/// ```
/// use trellis_dxil_frontend::container::kind_of_file;
///
/// assert_eq!(kind_of_file(b"float4 main()"), Some("text, such as HLSL"));
/// assert_eq!(kind_of_file(b"PK\x03\x04"), Some("a zip archive"));
/// assert_eq!(kind_of_file(&[0, 1, 2]), None);
/// ```
pub fn kind_of_file(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
    match bytes {
        [] => Some("empty"),
        // The version token of Direct3D 9: minor, major, and the stage.
        [_, 1..=3, 0xFE | 0xFF, 0xFF, ..] => Some("a shader of shader models 1 to 3"),
        _ if bytes.get(257..262) == Some(b"ustar") => Some("a tar archive"),
        _ if bytes.iter().take(START).all(is_text) => Some("text, such as HLSL"),
        _ if RootSignature::read_bytes(bytes).is_ok() => Some("a root signature"),
        _ => None,
    }
}

impl ContainerError {
    /// Returns the error of a file that is not a compiled shader, if its kind is known.
    pub fn of_other_file(bytes: &[u8]) -> Option<Self> {
        kind_of_file(bytes).map(|found| Self {
            part: FourCC::CONTAINER,
            offset: 0,
            kind: ContainerErrorKind::OtherFile { found },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::kind_of_file;

    #[test]
    fn other_files_are_named() {
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let root_signature = [1_u32, 0, 24, 0, 24, 0].map(u32::to_le_bytes);
        for (bytes, kind) in [
            (&b""[..], "empty"),
            (b"\xEF\xBB\xBF// \xE4\r\n\tfloat", "text, such as HLSL"),
            (
                &[0, 3, 0xFE, 0xFF, 0, 0],
                "a shader of shader models 1 to 3",
            ),
            (&[1, 1, 0xFF, 0xFF], "a shader of shader models 1 to 3"),
            (&[3, 2, 0x23, 7], "SPIR-V"),
            (&tar, "a tar archive"),
            (root_signature.as_flattened(), "a root signature"),
        ] {
            assert_eq!(kind_of_file(bytes), Some(kind));
        }
        for bytes in [&[0, 4, 0xFE, 0xFF][..], b"DXBC\0", b"BC\xC0\xDE\0"] {
            assert_eq!(kind_of_file(bytes), None);
        }
    }
}
