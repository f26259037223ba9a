//! The HTML page's details of single shaders: the operations that each uses, and for some of them
//! the explorer's answer: the graph after each stage with remarks, the pseudo-code and the texts.
//!
//! [`collect`] reads the inputs a second time, after the batch: results need no more memory while
//! the batch runs, and results from the [cache](crate::cache) have details like all others. Details
//! are large, so that an [`Amount`] limits their number; [`choose`] selects the shaders. They are
//! kept compressed. Inputs that could not be read, and shaders whose conversion did not end by
//! itself, are not touched again.
//!
//! Except for the choice of the slowest shaders, details are a function of the inputs and the options.

mod choose;
mod operations;
mod shader;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use trellis_dxil::frontend::dxop::Op;
use trellis_explorer::page::packed;

use crate::backend::Backend;
use crate::batch::pool;
use crate::failure::Kind;
use crate::feed::Feed;
use crate::guard::guarded;
use crate::inputs::Input;
use crate::report::{Report, ShaderReport, Status};

pub use choose::choose;

/// Bytes of compressed details that a page has by default.
pub const DEFAULT_BYTES: u64 = 4 << 20;

/// How many shaders have details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// As many as fit into this many bytes of the page.
    Bytes(u64),
    /// This many.
    Shaders(usize),
    /// All that can be read.
    All,
}

impl Default for Amount {
    fn default() -> Self {
        Self::Bytes(DEFAULT_BYTES)
    }
}

impl std::str::FromStr for Amount {
    type Err = String;

    /// Reads `all`, `none` or a number of shaders.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::Shaders(0)),
            _ => text
                .parse()
                .map(Self::Shaders)
                .map_err(|_| "write a number of shaders, `all` or `none`".to_owned()),
        }
    }
}

/// The contents of a page that are not in a [`Report`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// For each shader of the report the operations that it calls and how often, in the order of their
    /// numbers; empty if it could not be read. Empty as a whole without a second pass.
    pub operations: Vec<Vec<(Op, u32)>>,
    /// By the index of a shader: the explorer's answer as JSON, [`packed`].
    pub pages: BTreeMap<usize, String>,
    /// The options of the batch as arguments of `trellis convert`, for the commands that the page shows. They are
    /// known to who parsed them: [`collect`] has none.
    pub options: Vec<String>,
}

/// Reads the inputs of a report again and returns its operations and details.
///
/// `of_input` has for each shader of the report the index of its input, as
/// [`Spool::collect_with_inputs`](crate::spool::Spool::collect_with_inputs) returns it: members of an archive
/// may have one name.
///
/// `read` is called once per input that was read. `jobs` is the number of threads; `None`: one per core. The result does not depend on it.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn collect(
    inputs: &[Input],
    backend: &Backend,
    report: &Report,
    of_input: &[usize],
    amount: Amount,
    jobs: Option<usize>,
    read: &(dyn Fn() + Sync),
) -> io::Result<Details> {
    let chosen: BTreeSet<usize> = choose(report, amount).into_iter().collect();
    let shaders = by_input(report, of_input);
    // In the order of the inputs, so that an archive is read from its start to its end.
    let (inputs, shaders): (Vec<Input>, Vec<Vec<usize>>) = shaders
        .into_iter()
        .filter_map(|(input, shaders)| Some((inputs.get(input)?.clone(), shaders)))
        .filter(|(input, _)| input.problem.is_none())
        .unzip();
    let pool = pool(jobs)?;
    let feed = Feed::new(&inputs, None);
    let on_thread = |_: rayon::BroadcastContext<'_>| {
        let mut found = Vec::new();
        let mut source = feed.for_thread();
        while let Some(fed) = source.take() {
            read();
            let Ok(bytes) = fed.bytes else {
                continue;
            };
            for &index in &shaders[fed.index] {
                found.push(one(
                    &bytes,
                    backend,
                    &report.shaders[index],
                    index,
                    chosen.contains(&index),
                ));
            }
        }
        found
    };
    let found = pool.broadcast(on_thread).into_iter().flatten();
    let mut details = Details {
        operations: vec![Vec::new(); report.shaders.len()],
        pages: BTreeMap::new(),
        options: Vec::new(),
    };
    for one in found {
        details.operations[one.index] = one.operations;
        details.pages.extend(one.page.map(|page| (one.index, page)));
    }
    if let Amount::Bytes(limit) = amount {
        keep_within(&mut details.pages, &choose(report, amount), limit);
    }
    Ok(details)
}

/// Removes the details that come last in `order` until all have at most `limit` bytes.
fn keep_within(pages: &mut BTreeMap<usize, String>, order: &[usize], limit: u64) {
    let mut bytes = 0;
    for index in order {
        bytes += pages.get(index).map_or(0, |page| page.len() as u64);
        if bytes > limit {
            pages.remove(index);
        }
    }
}

/// Returns the indices of the shaders that are read again, by the index of their input.
fn by_input(report: &Report, of_input: &[usize]) -> BTreeMap<usize, Vec<usize>> {
    let mut shaders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, (shader, input)) in report.shaders.iter().zip(of_input).enumerate() {
        if can_be_read(shader) {
            shaders.entry(*input).or_default().push(index);
        }
    }
    shaders
}

/// Returns false for a shader that was not read, or whose conversion did not end by itself.
pub(crate) fn can_be_read(shader: &ShaderReport) -> bool {
    let kind = shader.error.as_ref().map(|error| error.kind);
    shader.status != Status::Skipped
        && matches!(kind, None | Some(Kind::Conversion(_) | Kind::Manifest))
}

/// The details of one shader.
struct ShaderDetails {
    index: usize,
    operations: Vec<(Op, u32)>,
    page: Option<String>,
}

fn one(
    bytes: &[u8],
    backend: &Backend,
    shader: &ShaderReport,
    index: usize,
    is_chosen: bool,
) -> ShaderDetails {
    let entry = shader.entry.as_deref();
    let operations = guarded(|| Ok(operations::of_entry(bytes, entry)));
    let page = is_chosen.then(|| packed(&shader::details(bytes, backend, entry).json()));
    ShaderDetails {
        index,
        operations: operations.unwrap_or_default(),
        page,
    }
}
