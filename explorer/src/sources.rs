//! The source files that DXC embeds: in debug information, or in the part `SRCI` (`dxc -Fd`).
//!
//! Source: DXC's `DxilContainer.h`, `DxilSourceInfo` and the structs after it.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::debug_info::{Source, sources};

use crate::answer::{SourceView, TextView};

/// Most bytes of the contents of all files, which are compressed.
const MAX_CONTENTS: u32 = 64 << 20;

/// Sections of `SRCI`.
const CONTENTS: u16 = 0;
const NAMES: u16 = 1;

/// Returns the source files of DXIL.
pub(crate) fn embedded(input: &Input<'_>) -> Vec<SourceView> {
    let of_module = |source: Source<'_>| view(&source.name, &source.text);
    let all: Vec<SourceView> = sources(&input.module.metadata).map(of_module).collect();
    // Where there is the part, the module has a source without a name and text.
    match all.iter().all(|source| source.text.text.is_empty()) {
        true => of_part(input).unwrap_or_default(),
        false => all,
    }
}

pub(crate) fn view(name: &str, text: &str) -> SourceView {
    SourceView {
        name: name.to_owned(),
        text: TextView {
            text: text.to_owned(),
            ..TextView::default()
        },
    }
}

/// Returns the files in the part `SRCI`, as far as it is well-formed.
fn of_part(input: &Input<'_>) -> Option<Vec<SourceView>> {
    let sections = input.container.as_ref()?.source_info().ok()??;
    let section = |kind| Some(sections.iter().find(|s| s.kind == kind)?.data);
    let (names, contents) = (section(NAMES)?, section(CONTENTS)?);
    let names = entries(names.get(10..)?, 16, 8);
    let packed = contents.get(20..)?;
    let contents = match u16_at(contents, 6)? {
        0 => packed.to_vec(),
        _ => inflated(packed, u32_at(contents, 12)?),
    };
    let texts = entries(&contents, 12, 8);
    let files = { names.iter().zip(texts) }.map(|(name, text)| view(name, &text));
    Some(files.collect())
}

/// Returns the strings of a list. The header of each has the size with the header and the padding first, and
/// at `at` the size of the string with its end.
fn entries(mut data: &[u8], header: usize, at: usize) -> Vec<String> {
    let mut all = Vec::new();
    while let (Some(size), Some(length)) = (u32_at(data, 0), u32_at(data, at)) {
        // Entries share no bytes, so that a damaged list needs no more memory than it has.
        let entry = data.get(..size as usize).unwrap_or(data);
        let string = entry.get(header..).unwrap_or_default();
        let string = string.get(..length as usize).unwrap_or(string);
        let string = string.strip_suffix(b"\0").unwrap_or(string);
        all.push(String::from_utf8_lossy(string).into_owned());
        data = data.get((size as usize).max(header)..).unwrap_or_default();
    }
    all
}

fn inflated(packed: &[u8], size: u32) -> Vec<u8> {
    let mut out = Vec::new();
    // The data before an error is kept.
    let _ = ZlibDecoder::new(packed)
        .take(size.min(MAX_CONTENTS).into())
        .read_to_end(&mut out);
    out
}

pub(crate) fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

pub(crate) fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn short_entries_with_long_strings_share_no_bytes() {
        let list = [[12_u32, 0, u32::MAX].map(u32::to_le_bytes); 1000];
        let all = entries(list.as_flattened().as_flattened(), 12, 8);
        assert!(all.len() == 1000 && all.iter().all(String::is_empty));
    }
}
