//! A part of a batch for one of several machines.

use std::fmt;
use std::str::FromStr;

/// One of several parts of a batch, by the contents of the inputs: each input is in one part, whatever
/// it is called and wherever it is, so that equal shaders are converted by one machine.
///
/// ```
/// use trellis_corpus::shard::Shard;
///
/// let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|t| t.parse().unwrap()).collect();
/// let of = |bytes: &[u8]| shards.iter().filter(|shard| shard.has(bytes)).count();
/// assert!((0..100).all(|i| of(&[i, 7]) == 1));
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A text that is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with 1 <= I <= N, for example 2/8")]
pub struct ShardError;

impl Shard {
    /// Returns true if an input with this content is in the part.
    pub fn has(&self, content: &[u8]) -> bool {
        let hash = blake3::hash(content);
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .unwrap_or((&[0; 8], &[]));
        u64::from_le_bytes(*first) % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| ShardError);
        let (index, count) = (number(index)?, number(count)?);
        match (1..=count).contains(&index) {
            true => Ok(Self {
                index: index - 1,
                count,
            }),
            false => Err(ShardError),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}
