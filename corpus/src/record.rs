//! The results of one input as JSON: the content of a file of the [cache](crate::cache), and, one
//! at a time, the answers of a [worker process](crate::isolate) for each entry point.
//!
//! ```text
//! "trellis cache 2\n"   16 bytes, which change with the format
//! checksum              32 bytes: BLAKE3 of the key and of the rest
//! results               JSON; words are little-endian, in base64
//! ```
//!
//! Any bytes are either read as the record that was written for the key, or rejected.

use serde::{Deserialize, Serialize};
use trellis_dxil::frontend::shader::ShaderKind;
use trellis_dxil::structurizer::Counters;
use trellis_dxil::{Entry, Output};

use crate::converter::{Converted, Opened};
use crate::failure::{Failure, Kind};

/// The name of a record.
pub(crate) type Key = blake3::Hash;

/// The first bytes.
const MAGIC: &[u8; 16] = b"trellis cache 2\n";

/// Bytes of the checksum after it.
const CHECKSUM: usize = 32;

/// [`ShaderKind`], written by name.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ShaderKind", rename_all = "kebab-case")]
enum Stage {
    Pixel,
    Vertex,
    Geometry,
    Hull,
    Domain,
    Compute,
    Library,
    RayGeneration,
    Intersection,
    AnyHit,
    ClosestHit,
    Miss,
    Callable,
    Mesh,
    Amplification,
    Node,
}

/// An [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedEntry {
    name: String,
    #[serde(with = "Stage")]
    stage: ShaderKind,
}

impl From<&Entry> for NamedEntry {
    fn from(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            stage: entry.stage,
        }
    }
}

impl From<&NamedEntry> for Entry {
    fn from(entry: &NamedEntry) -> Self {
        Self {
            name: entry.name.clone(),
            stage: entry.stage,
        }
    }
}

/// A [`Converted`] entry point.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    #[serde(with = "words")]
    words: Vec<u32>,
    entry: String,
    #[serde(with = "Stage")]
    stage: ShaderKind,
    structurizer: Counters,
    patch_location: Option<u32>,
    not_validated: Option<String>,
}

impl From<&Converted> for Kept {
    fn from(converted: &Converted) -> Self {
        let output = &converted.output;
        Self {
            words: output.words.clone(),
            entry: output.entry.clone(),
            stage: output.stage,
            structurizer: output.structurizer,
            patch_location: output.patch_location,
            not_validated: converted.not_validated.clone(),
        }
    }
}

impl From<&Kept> for Converted {
    fn from(kept: &Kept) -> Self {
        let mut output = Output::new(kept.words.clone(), kept.entry.clone(), kept.stage);
        output.structurizer = kept.structurizer;
        output.patch_location = kept.patch_location;
        Self {
            output,
            not_validated: kept.not_validated.clone(),
        }
    }
}

/// Bytes are written in base64.
pub(crate) mod bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD
            .decode(String::deserialize(from)?)
            .map_err(D::Error::custom)
    }
}

/// Words are written as their bytes.
mod words {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    use super::bytes;
    use crate::files::bytes_of;

    pub(super) fn serialize<S: Serializer>(words: &[u32], to: S) -> Result<S::Ok, S::Error> {
        bytes::serialize(&bytes_of(words), to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let bytes = bytes::deserialize(from)?;
        match bytes.as_chunks::<4>() {
            (words, []) => Ok(words.iter().copied().map(u32::from_le_bytes).collect()),
            _ => Err(D::Error::custom("a part of a word")),
        }
    }
}

/// Returns true for a failure that depends only on the input, the options and the program.
pub(crate) fn is_repeatable(failure: &Failure) -> bool {
    matches!(failure.kind, Kind::Conversion(_))
}

/// The results of an input that could be read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// True for a library.
    library: bool,
    entries: Vec<(NamedEntry, Result<Kept, Failure>)>,
}

impl Record {
    /// Creates the record of an input none of whose entry points has a result yet.
    pub(crate) fn new(library: bool) -> Self {
        let entries = Vec::new();
        Self { library, entries }
    }

    /// Adds the result of the next entry point.
    pub(crate) fn push(&mut self, entry: &Entry, result: &Result<Converted, Failure>) {
        let result = result.as_ref().map(Kept::from).map_err(Failure::clone);
        self.entries.push((entry.into(), result));
    }

    /// Returns the number of entry points that have a result.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// Returns the record of an input, or why it could not be read, as bytes.
pub(crate) fn encode(key: &Key, record: Result<&Record, &Failure>) -> serde_json::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([0; CHECKSUM]);
    serde_json::to_writer(&mut bytes, &record)?;
    let (head, content) = bytes.split_at_mut(MAGIC.len() + CHECKSUM);
    head[MAGIC.len()..].copy_from_slice(&checksum(key, content));
    Ok(bytes)
}

/// Returns the record that [`encode`] wrote for this key, or `None` for any other bytes.
pub(crate) fn decode(key: &Key, bytes: &[u8]) -> Option<Result<Record, Failure>> {
    let (sum, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<CHECKSUM>()?;
    if *sum != checksum(key, content) {
        return None;
    }
    let record: Result<Record, Failure> = serde_json::from_slice(content).ok()?;
    // A checksum can be right by intent: no sum over a batch overflows.
    let results = record.iter().flat_map(|record| &record.entries);
    let small = results
        .filter_map(|(_, result)| result.as_ref().ok())
        .flat_map(|kept| kept.structurizer.named())
        .all(|(_, count)| u32::try_from(count).is_ok());
    small.then_some(record)
}

/// Returns true if a repetition would give the same.
pub(crate) fn can_be_kept(record: &Result<Record, Failure>) -> bool {
    match record {
        Ok(record) => { record.entries.iter() }
            .filter_map(|(_, result)| result.as_ref().err())
            .all(is_repeatable),
        Err(failure) => is_repeatable(failure),
    }
}

fn checksum(key: &Key, content: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes());
    hasher.update(content);
    *hasher.finalize().as_bytes()
}

/// The input as it was opened when the record was made.
impl Opened for Record {
    fn entries(&self) -> Vec<Entry> {
        self.entries.iter().map(|(entry, _)| entry.into()).collect()
    }

    fn is_library(&self) -> bool {
        self.library
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        match self.entries.get(entry) {
            Some((_, result)) => result.as_ref().map(Into::into).map_err(Failure::clone),
            None => Err(Failure::new(
                Kind::Other,
                "the record does not have this entry point",
            )),
        }
    }
}
