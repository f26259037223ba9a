//! The results of a batch per shader: the JSON of `trellis batch --report`.
//!
//! `docs/schema/report.schema.json` describes it. All fields are a function of the inputs and the
//! options, except the times and whether a result came from a cache.

use std::cell::RefCell;
use std::io;

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Deserialize, Serialize, Serializer};

use trellis_dxil::structurizer::Counters;

use crate::failure::Failure;

/// Number of the schema of a report. It is increased if a field is removed or its meaning changes, not
/// if one is added.
pub const SCHEMA: u32 = 1;

/// The results of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Number of the schema, [`SCHEMA`]; 0 in reports from before it had one.
    #[serde(default)]
    pub schema: u32,
    /// Version of Trellis.
    pub version: String,
    /// The target environment, for example `vulkan1.3`.
    pub target: String,
    /// The validators that checked the outputs.
    pub validator: Validator,
    /// Sums over the shaders.
    pub totals: Totals,
    /// The shaders in input order; a library has one element per entry point.
    pub shaders: Vec<ShaderReport>,
}

/// The validators that checked the outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Validator {
    /// Trellis's own verifier, which always runs.
    #[serde(rename = "trellis")]
    Trellis,
    /// Trellis's own verifier, and spirv-val after it.
    #[serde(rename = "trellis+spirv-val")]
    TrellisAndSpirvVal,
}

/// Sums over the shaders of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Shaders whose output was written.
    pub converted: u64,
    /// Shaders whose output passed the report's [`Validator`]. An output that does not pass is a
    /// failure, so that `converted` is the sum of `valid` and `not_validated`.
    pub valid: u64,
    /// Shaders that failed; nothing was written for them.
    pub failed: u64,
    /// Shaders whose output passed Trellis's own verifier, and that spirv-val could not check: its
    /// version is too old for an extension, or it lacks an option.
    #[serde(default)]
    pub not_validated: u64,
    /// Libraries without entry points, which have nothing to convert.
    #[serde(default)]
    pub skipped: u64,
    /// Inputs that are in other [parts](crate::shard::Shard) of the batch; the list of shaders does not
    /// have them.
    #[serde(default)]
    pub other_shards: u64,
    /// Inputs that were not taken, since the batch stopped at the first failure or a full disk, or was stopped from outside;
    /// the list of shaders does not have them.
    #[serde(default)]
    pub not_run: u64,
    /// Shaders whose results came from the [cache](crate::cache).
    #[serde(default)]
    pub cached: u64,
    /// The first error of writing to the cache, which no result depends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_error: Option<String>,
    /// Bytes of all inputs that could be read.
    pub input_bytes: u64,
    /// SPIR-V words of all outputs.
    pub words: u64,
    /// Sum of the shaders' conversion times, in microseconds.
    pub time_us: u64,
    /// Wall time of the batch, in microseconds; less than `time_us` with several threads.
    pub wall_us: u64,
    /// Counters of the structurizer, summed over all shaders.
    pub structurizer: Counters,
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "converted {}, valid {}, failed {}",
            self.converted, self.valid, self.failed
        )?;
        if self.not_validated > 0 {
            write!(f, ", not validated {}", self.not_validated)?;
        }
        if self.skipped > 0 {
            write!(f, ", without entry points {}", self.skipped)?;
        }
        if self.other_shards > 0 {
            write!(f, ", in other shards {}", self.other_shards)?;
        }
        if self.not_run > 0 {
            write!(f, ", not run {}", self.not_run)?;
        }
        if self.cached > 0 {
            write!(f, ", from the cache {}", self.cached)?;
        }
        Ok(())
    }
}

/// The result of a shader's conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The conversion succeeded; the output was checked and written.
    Converted,
    /// The conversion failed; nothing was written.
    #[default]
    Failed,
    /// A library without entry points: there is nothing to convert.
    Skipped,
}

/// The results of one shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShaderReport {
    /// Path of the input.
    pub input: String,
    /// Path of the output, relative to the output folder, with `/` between the parts; `None` for a
    /// failed shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The name that the output would have, if another input has it: this one has a longer name, or a
    /// number. With a `/` at its end if another output is in a folder of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clashes_with: Option<String>,
    /// Result of the conversion.
    pub status: Status,
    /// Pipeline stage, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// Entry point, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Bytes of the input.
    pub input_bytes: u64,
    /// SPIR-V words of the output.
    pub words: u64,
    /// Time of the conversion without reading and writing files, in microseconds: processor time of the thread
    /// on Unix, elapsed time elsewhere and by worker processes.
    pub time_us: u64,
    /// True if the result is an earlier batch's, from the [cache](crate::cache).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// The reason of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// Why spirv-val, which was asked for, could not check the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_validated: Option<String>,
    /// Counters of the structurizer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structurizer: Option<Counters>,
    /// Measures of the input and the output, for a batch that
    /// [asks](crate::batch::Settings::measure) for it; `None` if the input could not be read, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Box<Measured>>,
}

/// Measures of an input and its output that a [table](crate::table) has in addition to the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// BLAKE3 of the input, in hexadecimal.
    pub input_hash: String,
    /// The shader model of the program in a container, such as `6.5`; bitcode without a container has none
    /// here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader_model: Option<String>,
    /// BLAKE3 of the output's words in little-endian order, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
    /// SPIR-V instructions of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
    /// Blocks of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<u64>,
}

impl Totals {
    /// Returns the sums over `shaders`; the caller sets the wall time.
    pub fn of(shaders: &[ShaderReport]) -> Self {
        let mut totals = Self::default();
        for shader in shaders {
            totals.count(shader);
        }
        totals
    }

    /// Adds a shader.
    pub(crate) fn count(&mut self, shader: &ShaderReport) {
        match shader.status {
            Status::Converted => {
                self.converted += 1;
                if shader.not_validated.is_some() {
                    self.not_validated += 1;
                } else {
                    self.valid += 1;
                }
            }
            Status::Failed => self.failed += 1,
            Status::Skipped => self.skipped += 1,
        }
        self.cached += u64::from(shader.cached);
        self.input_bytes += shader.input_bytes;
        self.words += shader.words;
        self.time_us += shader.time_us;
        if let Some(counts) = &shader.structurizer {
            self.structurizer += *counts;
        }
    }

    /// Adds the sums over other shaders, the fields that [`Totals::count`] changes.
    pub(crate) fn add(&mut self, other: &Self) {
        self.converted += other.converted;
        self.valid += other.valid;
        self.failed += other.failed;
        self.not_validated += other.not_validated;
        self.skipped += other.skipped;
        self.cached += other.cached;
        self.input_bytes += other.input_bytes;
        self.words += other.words;
        self.time_us += other.time_us;
        self.structurizer += other.structurizer;
    }
}

/// The part of a report about the whole batch.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// [`Report::version`].
    pub version: String,
    /// [`Report::target`].
    pub target: String,
    /// [`Report::validator`].
    pub validator: Validator,
    /// [`Report::totals`].
    pub totals: Totals,
}

impl Summary {
    /// Returns the report with these shaders.
    pub fn with(self, shaders: Vec<ShaderReport>) -> Report {
        Report {
            schema: SCHEMA,
            version: self.version,
            target: self.target,
            validator: self.validator,
            totals: self.totals,
            shaders,
        }
    }

    /// Writes the report with these shaders as JSON text that ends in a newline, one shader after the other.
    ///
    /// # Errors
    /// Returns the errors of writing and of the shaders.
    pub fn write_json(
        &self,
        shaders: impl Iterator<Item = io::Result<ShaderReport>>,
        to: &mut dyn io::Write,
    ) -> io::Result<()> {
        let streamed = StreamedReport {
            schema: SCHEMA,
            summary: self,
            shaders: Sequence(RefCell::new(shaders)),
        };
        serde_json::to_writer_pretty(&mut *to, &streamed)?;
        to.write_all(b"\n")
    }
}

/// A [`Report`] whose shaders are serialized one after the other.
#[derive(Serialize)]
#[serde(bound = "")]
struct StreamedReport<'a, I: Iterator<Item = io::Result<ShaderReport>>> {
    schema: u32,
    #[serde(flatten)]
    summary: &'a Summary,
    shaders: Sequence<I>,
}

/// Serialized as the list of an iterator's items, which is possible once.
struct Sequence<I>(RefCell<I>);

impl<I: Iterator<Item = io::Result<ShaderReport>>> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for shader in &mut *self.0.borrow_mut() {
            sequence.serialize_element(&shader.map_err(S::Error::custom)?)?;
        }
        sequence.end()
    }
}

impl Report {
    /// Returns the shaders that failed, in input order.
    pub fn failures(&self) -> impl Iterator<Item = (&ShaderReport, &Failure)> {
        self.shaders
            .iter()
            .filter_map(|shader| shader.error.as_ref().map(|error| (shader, error)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Counters, Report, SCHEMA, ShaderReport, Status, Summary, Totals, Validator};
    use trellis_dxil::error::ErrorKind;

    use crate::failure::Failure;

    fn sample() -> Report {
        let good = ShaderReport {
            input: "in/a.dxil".into(),
            output: Some("a.spv".into()),
            status: Status::Converted,
            stage: Some("compute".into()),
            entry: Some("main".into()),
            input_bytes: 2200,
            words: 730,
            time_us: 60,
            cached: true,
            structurizer: Some(Counters::from_fn(|name| u64::from(name == "phis") * 2)),
            ..ShaderReport::default()
        };
        let bad = ShaderReport {
            input: "in/b.dxil".into(),
            input_bytes: 10,
            time_us: 5,
            error: Some(Failure::new(ErrorKind::Read, "too short")),
            ..ShaderReport::default()
        };
        let shaders = vec![good, bad];
        Report {
            schema: SCHEMA,
            version: "1".into(),
            target: "vulkan1.3".into(),
            validator: Validator::Trellis,
            totals: Totals::of(&shaders),
            shaders,
        }
    }

    #[test]
    fn totals_are_sums() {
        let totals = sample().totals;
        assert_eq!(
            totals.to_string(),
            "converted 1, valid 1, failed 1, from the cache 1"
        );
        assert_eq!(
            (
                totals.input_bytes,
                totals.words,
                totals.time_us,
                totals.structurizer.phis
            ),
            (2210, 730, 65, 2)
        );
    }

    #[test]
    fn sums_of_parts_are_sums() {
        let shaders = crate::sample::report().shaders;
        let (first, second) = shaders.split_at(1);
        let mut totals = Totals::of(first);
        totals.add(&Totals::of(second));
        assert_eq!(totals, Totals::of(&shaders));
        assert!(totals.failed > 0 && totals.skipped > 0 && totals.not_validated > 0);
    }

    #[test]
    fn a_report_is_written_as_it_is_rendered() {
        for shaders in [Vec::new(), crate::sample::report().shaders] {
            let report = Report {
                shaders,
                ..sample()
            };
            let summary = Summary {
                target: report.target.clone(),
                version: report.version.clone(),
                validator: report.validator,
                totals: report.totals.clone(),
            };
            let mut written = Vec::new();
            let shaders = report.shaders.iter().cloned().map(Ok);
            summary.write_json(shaders, &mut written).unwrap();
            let expected = serde_json::to_string_pretty(&report).unwrap() + "\n";
            assert_eq!(String::from_utf8(written).unwrap(), expected);
            assert_eq!(summary.with(report.shaders.clone()), report);
        }
        let mut none = Vec::new();
        let lost = std::iter::once(Err(std::io::Error::other("lost")));
        let report = sample();
        let summary = Summary {
            target: report.target,
            version: report.version,
            validator: report.validator,
            totals: report.totals,
        };
        let error = summary.write_json(lost, &mut none).unwrap_err();
        assert_eq!(error.to_string(), "lost");
    }

    #[test]
    fn a_report_round_trips() {
        let report = sample();
        let text = serde_json::to_string_pretty(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
        assert!(
            !text.contains("null"),
            "what is unknown is left out: {text}"
        );
        assert_eq!(
            report
                .failures()
                .map(|(shader, error)| (shader.input.as_str(), error.kind))
                .collect::<Vec<_>>(),
            [("in/b.dxil", ErrorKind::Read.into())]
        );
    }
}
