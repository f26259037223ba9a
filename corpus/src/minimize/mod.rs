//! Chooses the shaders of a large set that are needed to keep its coverage of features.
//!
//! 1. Each shader is read and converted, which gives its features (`features`).
//! 2. Of shaders with equal features the smallest is kept, by size and then by the hash of its contents.
//! 3. A greedy set cover chooses among these.
//!
//! The result depends on the contents and the options only: not on names, the order of the inputs
//! or the number of threads; among equal files the first one is named. Contents are not kept, but
//! read again for [`copy`]; only four bytes are kept for each feature of each different set, and
//! the names of features.

mod cover;
mod features;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::batch::pool;
use crate::converter::Converter;
use crate::failure::{Failure, Kind};
use crate::feed::Feed;
use crate::files::write_whole;
use crate::inputs::Input;
use features::Features;

/// The chosen shaders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Minimized {
    /// Shaders that were read.
    pub shaders: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Different sets of features.
    pub distinct: u64,
    /// Features of all shaders.
    pub features: u64,
    /// The chosen shaders, those with most new features first.
    pub chosen: Vec<Chosen>,
    /// Bytes of the chosen shaders.
    pub chosen_bytes: u64,
    /// Inputs that could not be read, and why, in input order.
    pub not_read: Vec<NotRead>,
}

/// A chosen shader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Chosen {
    /// Its index in the inputs.
    #[serde(skip)]
    pub index: usize,
    /// The input.
    pub input: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of its contents.
    pub hash: String,
    /// Features that no chosen shader before it has, sorted.
    pub brings: Vec<String>,
    /// Features that no other chosen shader has, sorted.
    pub alone: Vec<String>,
}

/// An input that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotRead {
    /// The input.
    pub input: String,
    /// The reason.
    pub message: String,
}

/// The shader of a set of features: size, hash of the contents, index of the input.
type Candidate = (u64, [u8; 32], usize);

/// Shared state of the threads. Numbers of features depend on which thread is first, but do not
/// affect the result.
#[derive(Default)]
struct Collected {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    sets: BTreeMap<Box<[u32]>, Candidate>,
    shaders: u64,
    bytes: u64,
    not_read: BTreeMap<usize, String>,
}

impl Collected {
    fn add(&mut self, features: Features, best: Candidate) {
        let mut set = Vec::with_capacity(features.len());
        for name in features {
            let number = match self.numbers.get(&name) {
                Some(number) => *number,
                None => {
                    let number = self.names.len() as u32;
                    self.names.push(name.clone());
                    self.numbers.insert(name, number);
                    number
                }
            };
            set.push(number);
        }
        set.sort_unstable();
        self.shaders += 1;
        self.bytes += best.0;
        let kept = self.sets.entry(set.into_boxed_slice()).or_insert(best);
        *kept = best.min(*kept);
    }
}

/// Chooses among the inputs, with a pool of `jobs` threads, or one per core. `finished` is called once per
/// input, from any thread.
///
/// # Errors
/// The threads cannot be started. Inputs that cannot be read are in the result.
pub fn minimize(
    inputs: &[Input],
    converter: &dyn Converter,
    jobs: Option<usize>,
    finished: &(dyn Fn() + Sync),
) -> io::Result<Minimized> {
    let pool = pool(jobs)?;
    let feed = Feed::new(inputs, None);
    let found = Mutex::new(Collected::default());
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    pool.broadcast(|_| {
        let mut worker = converter.worker();
        let mut source = feed.for_thread();
        while let Some(fed) = source.take() {
            match fed.bytes {
                Err(failure) => {
                    lock().not_read.insert(fed.index, failure.message);
                }
                Ok(bytes) => {
                    let hash = *blake3::hash(&bytes).as_bytes();
                    let features = features::of(&bytes, &mut *worker);
                    lock().add(features, (bytes.len() as u64, hash, fed.index));
                }
            }
            finished();
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(choose(inputs, found))
}

fn choose(inputs: &[Input], found: Collected) -> Minimized {
    let names = found.names;
    let candidates: Vec<(Box<[u32]>, Candidate)> = found.sets.into_iter().collect();
    let chosen: Vec<&(Box<[u32]>, Candidate)> =
        { cover::cover(&candidates, names.len()).into_iter() }
            .filter_map(|index| candidates.get(index))
            .collect();
    let mut counts = vec![0_u32; names.len()];
    for &feature in chosen.iter().flat_map(|(features, _)| features) {
        counts[feature as usize] += 1;
    }
    let mut known = vec![false; names.len()];
    let input_name = |index: usize| {
        inputs
            .get(index)
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let described = chosen.iter().map(|(features, best)| {
        let (bytes, hash, index) = *best;
        let name = |feature: &u32| names[*feature as usize].clone();
        let new = |feature: &&u32| !std::mem::replace(&mut known[**feature as usize], true);
        let brings: BTreeSet<String> = features.iter().filter(new).map(name).collect();
        let once = |feature: &&u32| counts[**feature as usize] == 1;
        let alone: BTreeSet<String> = features.iter().filter(once).map(name).collect();
        Chosen {
            index,
            input: input_name(index),
            bytes,
            hash: blake3::Hash::from(hash).to_hex().to_string(),
            brings: brings.into_iter().collect(),
            alone: alone.into_iter().collect(),
        }
    });
    let described: Vec<Chosen> = described.collect();
    Minimized {
        shaders: found.shaders,
        bytes: found.bytes,
        distinct: candidates.len() as u64,
        features: names.len() as u64,
        chosen_bytes: described.iter().map(|chosen| chosen.bytes).sum(),
        chosen: described,
        not_read: { found.not_read.into_iter() }
            .map(|(index, message)| NotRead {
                input: input_name(index),
                message,
            })
            .collect(),
    }
}

/// Copies the chosen shaders to a folder, under the paths that they have below theirs. Where two have the
/// same path, the later one has the start of its hash before its name. Returns the paths, in input order.
///
/// # Errors
/// A shader cannot be read again, has other contents than before, or cannot be written.
pub fn copy(
    inputs: &[Input],
    minimized: &Minimized,
    folder: &Path,
) -> Result<Vec<String>, Failure> {
    let mut chosen: Vec<&Chosen> = minimized.chosen.iter().collect();
    chosen.sort_by_key(|chosen| chosen.index);
    let list = chosen.iter().filter_map(|chosen| inputs.get(chosen.index));
    let list: Vec<Input> = list.cloned().collect();
    let feed = Feed::new(&list, None);
    let mut taken = BTreeSet::new();
    let mut written = Vec::new();
    let mut source = feed.for_thread();
    while let Some(fed) = source.take() {
        let bytes = fed.bytes?;
        let hash = blake3::hash(&bytes).to_hex().to_string();
        if chosen
            .get(fed.index)
            .is_none_or(|chosen| chosen.hash != hash)
        {
            let message = format!("{} has changed since it was read", fed.input);
            return Err(Failure::new(Kind::Io, message));
        }
        let mut path = fed.input.relative.clone();
        // A file system may ignore case.
        while !taken.insert(path.to_lowercase()) {
            let (start, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let start = if start.is_empty() {
                ""
            } else {
                &format!("{start}/")
            };
            path = format!("{start}{}-{name}", &hash[..8]);
        }
        write_whole(&folder.join(&path), &bytes)
            .map_err(|error| Failure::new(Kind::Io, format!("cannot write {path}: {error}")))?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
mod tests;
