//! The results of one input as bytes: the content of a file of the [cache](crate::cache), and what a
//! [worker process](crate::isolate) answers for each entry point.
//!
//! ```text
//! "trellis cache 1\n"   16 bytes, which change with the format
//! length                of the description in bytes: 64 bits, little-endian
//! description           JSON: entry points with their results, without the words
//! words                 of all converted entry points in their order, little-endian
//! checksum              32 bytes: BLAKE3 of the key and of all bytes before
//! ```
//!
//! Whatever the bytes are, they are either read as what was written for its key, or not at all.

use serde::{Deserialize, Serialize};
use trellis_dxil::frontend::shader::ShaderKind;
use trellis_dxil::structurizer::Counters;
use trellis_dxil::{Entry, Output};

use crate::converter::{Converted, Opened};
use crate::failure::{Failure, Kind};
use crate::files::bytes_of;

/// What names a record.
pub(crate) type Key = blake3::Hash;

/// The first bytes.
const MAGIC: &[u8; 16] = b"trellis cache 1\n";

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 32;

const STAGES: [ShaderKind; 16] = [
    ShaderKind::Pixel,
    ShaderKind::Vertex,
    ShaderKind::Geometry,
    ShaderKind::Hull,
    ShaderKind::Domain,
    ShaderKind::Compute,
    ShaderKind::Library,
    ShaderKind::RayGeneration,
    ShaderKind::Intersection,
    ShaderKind::AnyHit,
    ShaderKind::ClosestHit,
    ShaderKind::Miss,
    ShaderKind::Callable,
    ShaderKind::Mesh,
    ShaderKind::Amplification,
    ShaderKind::Node,
];

/// The results of an input without the words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// True for a library.
    library: bool,
    /// Why the input could not be read; it has no entry points then.
    failure: Option<Failure>,
    entries: Vec<DescribedEntry>,
}

/// An entry point and its result.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedEntry {
    name: String,
    #[serde(with = "stage_name")]
    stage: ShaderKind,
    result: DescribedResult,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DescribedResult {
    Converted(Box<DescribedOutput>),
    Failed(Failure),
}

/// An [`Output`] without its words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedOutput {
    /// Number of words.
    words: u64,
    entry: String,
    #[serde(with = "stage_name")]
    stage: ShaderKind,
    structurizer: Counters,
    patch_location: Option<u32>,
    not_validated: Option<String>,
}

/// Stages are written by name.
pub(crate) mod stage_name {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::{STAGES, ShaderKind};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(
        stage: &ShaderKind,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(stage.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<ShaderKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut stages = STAGES.into_iter();
        stages
            .find(|stage| stage.name() == name)
            .ok_or_else(|| D::Error::custom("unknown stage"))
    }
}

/// Returns true for what depends on nothing but the input, the options and the program.
pub(crate) fn is_repeatable(failure: &Failure) -> bool {
    matches!(failure.kind, Kind::Conversion(_))
}

/// The results of an input.
pub(crate) struct Record {
    description: Description,
    /// The words of all outputs.
    words: Vec<u8>,
}

impl Record {
    /// Creates the record of an input that has been read, and none of whose entry points has a result
    /// yet.
    pub(crate) fn new(library: bool) -> Self {
        Self {
            description: Description {
                library,
                failure: None,
                entries: Vec::new(),
            },
            words: Vec::new(),
        }
    }

    /// Creates the record of an input that could not be read.
    pub(crate) fn failed(failure: Failure) -> Self {
        let mut record = Self::new(false);
        record.description.failure = Some(failure);
        record
    }

    /// Adds the result of the next entry point.
    pub(crate) fn push(&mut self, entry: &Entry, result: &Result<Converted, Failure>) {
        let result = match result {
            Err(failure) => DescribedResult::Failed(failure.clone()),
            Ok(Converted {
                output,
                not_validated,
            }) => {
                self.words.extend_from_slice(&bytes_of(&output.words));
                DescribedResult::Converted(Box::new(DescribedOutput {
                    words: output.words.len() as u64,
                    entry: output.entry.clone(),
                    stage: output.stage,
                    structurizer: output.structurizer,
                    patch_location: output.patch_location,
                    not_validated: not_validated.clone(),
                }))
            }
        };
        self.description.entries.push(DescribedEntry {
            name: entry.name.clone(),
            stage: entry.stage,
            result,
        });
    }

    /// Returns the number of entry points that have a result.
    pub(crate) fn len(&self) -> usize {
        self.description.entries.len()
    }

    /// Returns true if a repetition would give the same.
    pub(crate) fn is_repeatable(&self) -> bool {
        let unread = self.description.failure.as_ref();
        let entries = self.description.entries.iter();
        let of_entries = entries.filter_map(DescribedEntry::failure);
        unread.into_iter().chain(of_entries).all(is_repeatable)
    }

    /// Returns the record as bytes.
    pub(crate) fn encode(&self, key: &Key) -> serde_json::Result<Vec<u8>> {
        let description = serde_json::to_vec(&self.description)?;
        let size = MAGIC.len() + 8 + description.len() + self.words.len() + CHECKSUM;
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(description.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&description);
        bytes.extend_from_slice(&self.words);
        let sum = checksum(key, &bytes);
        bytes.extend_from_slice(&sum);
        Ok(bytes)
    }

    /// Returns the record that [`Record::encode`] wrote for this key, or `None` for any other bytes.
    pub(crate) fn decode(key: &Key, bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_last_chunk::<CHECKSUM>()?;
        if *sum != checksum(key, content) {
            return None;
        }
        let rest = content.strip_prefix(MAGIC.as_slice())?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (description, words) = rest.split_at_checked(length)?;
        let description: Description = serde_json::from_slice(description).ok()?;
        // A checksum can be right by intent: what is not as written by `encode` is not used.
        description.is_of(words.len()).then(|| Self {
            description,
            words: words.to_vec(),
        })
    }

    /// Returns the input as it was opened when the record was made.
    pub(crate) fn open(self) -> Result<Box<dyn Opened>, Failure> {
        let Self { description, words } = self;
        match description.failure {
            Some(failure) => Err(failure),
            None => Ok(Box::new(Replay {
                library: description.library,
                entries: description.entries,
                words,
            })),
        }
    }
}

impl Description {
    /// Returns true if the description is of outputs that have this many bytes together.
    fn is_of(&self, bytes: usize) -> bool {
        // No sum over a batch overflows.
        let counts = self.entries.iter().all(DescribedEntry::has_small_counts);
        let mut sizes = self.entries.iter().map(DescribedEntry::bytes);
        let size = sizes.try_fold(0usize, |sum, size| sum.checked_add(size?));
        let possible = self.failure.is_none() || self.entries.is_empty();
        counts && possible && size == Some(bytes)
    }
}

impl DescribedEntry {
    fn failure(&self) -> Option<&Failure> {
        match &self.result {
            DescribedResult::Converted(_) => None,
            DescribedResult::Failed(failure) => Some(failure),
        }
    }

    /// Returns true if the counters are those of a shader rather than any numbers of 64 bits.
    fn has_small_counts(&self) -> bool {
        let small = |(_, count): (_, u64)| u32::try_from(count).is_ok();
        match &self.result {
            DescribedResult::Converted(output) => {
                output.structurizer.named().into_iter().all(small)
            }
            DescribedResult::Failed(_) => true,
        }
    }

    /// Returns the number of bytes of the words; `None` if that is not a number of the machine.
    fn bytes(&self) -> Option<usize> {
        match &self.result {
            DescribedResult::Failed(_) => Some(0),
            DescribedResult::Converted(output) => {
                usize::try_from(output.words).ok()?.checked_mul(4)
            }
        }
    }
}

fn checksum(key: &Key, content: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes());
    hasher.update(content);
    *hasher.finalize().as_bytes()
}

/// An input whose results come from a record.
struct Replay {
    library: bool,
    entries: Vec<DescribedEntry>,
    words: Vec<u8>,
}

impl Replay {
    /// Returns the words of an entry point; they are after those of the entry points before it.
    fn words_of(&self, entry: usize) -> Option<Vec<u32>> {
        let (before, rest) = self.entries.split_at_checked(entry)?;
        let start: usize = before.iter().filter_map(DescribedEntry::bytes).sum();
        let size = rest.first()?.bytes()?;
        let (words, _) = self.words.get(start..)?.split_at_checked(size)?;
        let words = words.as_chunks::<4>().0.iter().copied();
        Some(words.map(u32::from_le_bytes).collect())
    }
}

impl Opened for Replay {
    fn entries(&self) -> Vec<Entry> {
        let entry = |described: &DescribedEntry| Entry {
            name: described.name.clone(),
            stage: described.stage,
        };
        self.entries.iter().map(entry).collect()
    }

    fn is_library(&self) -> bool {
        self.library
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        let missing = || Failure::new(Kind::Other, "the record does not have this entry point");
        let described = self.entries.get(entry).ok_or_else(missing)?;
        let of = match &described.result {
            DescribedResult::Converted(of) => of,
            DescribedResult::Failed(failure) => return Err(failure.clone()),
        };
        let words = self.words_of(entry).ok_or_else(missing)?;
        let mut output = Output::new(words, of.entry.clone(), of.stage);
        output.structurizer = of.structurizer;
        output.patch_location = of.patch_location;
        Ok(Converted {
            output,
            not_validated: of.not_validated.clone(),
        })
    }
}
