//! The reason why a shader was not converted, as plain data for reports and messages.

use serde::{Deserialize, Serialize};
use trellis_dxil::dxbc::Error as ReadError;
use trellis_dxil::error::{ErrorKind, InputLocation, InvalidKind};
use trellis_dxil::{DisassembleError, Error};

/// The kind of a failure: the kind of the backend's error, or a failure around the conversion. The
/// serialized form is [`Kind::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", from = "String")]
pub enum Kind {
    /// An error of the conversion.
    Conversion(ErrorKind),
    /// The input file cannot be read, or the output file cannot be written.
    Io,
    /// The disk is full, or the user's part of it: a batch stops.
    DiskFull,
    /// An archive or its contents cannot be read.
    Archive,
    /// A link leads nowhere, or to a folder that it is in; in an archive to a folder with shaders, or out of
    /// the archive.
    Link,
    /// The name of an input cannot be used for an output.
    Name,
    /// The words are not readable SPIR-V.
    SpirV,
    /// The shader does not match its manifest.
    Manifest,
    /// The conversion panicked: a bug in Trellis.
    Panic,
    /// The conversion took more time than its [limit](crate::isolate::Limits).
    TimeLimit,
    /// The conversion needed more memory than its [limit](crate::isolate::Limits), or than there is.
    MemoryLimit,
    /// The worker process that converted the shader ended, such as by a signal.
    Crashed,
    /// A failure kind that this version of the report does not define.
    Other,
}

impl Kind {
    /// The kinds that are not of the conversion, with their names in a report.
    const AROUND: [(Self, &str); 12] = [
        (Self::Io, "io"),
        (Self::DiskFull, "disk-full"),
        (Self::Archive, "archive"),
        (Self::Link, "link"),
        (Self::Name, "name"),
        (Self::SpirV, "spirv"),
        (Self::Manifest, "manifest"),
        (Self::Panic, "panic"),
        (Self::TimeLimit, "time-limit"),
        (Self::MemoryLimit, "memory-limit"),
        (Self::Crashed, "crashed"),
        (Self::Other, "other"),
    ];

    /// Returns all kinds, conversion errors first.
    pub fn all() -> impl Iterator<Item = Self> {
        let conversion = ErrorKind::ALL.into_iter().map(Self::Conversion);
        conversion.chain(Self::AROUND.map(|(kind, _)| kind))
    }

    /// Returns the name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conversion(kind) => kind.name(),
            kind => { Self::AROUND.iter() }
                .find(|(known, _)| *known == kind)
                .map_or("", |(_, name)| name),
        }
    }

    /// Returns a suggested fix for the user.
    pub fn help(self) -> &'static str {
        const BUG: &str = "this is a bug in Trellis: please report it together with the shader; nothing was written";
        let kind = match self {
            Self::Conversion(kind) => kind,
            Self::Io => {
                return "check that the path exists, that its permissions allow access and that the disk is not full";
            }
            Self::DiskFull => return "free some space, and run the batch again",
            Self::Archive => {
                return "make the archive again; `trellis batch` reads zip, tar, tar.zst and tar.gz";
            }
            Self::Link => return "remove the link, or leave it out with --exclude",
            Self::Name => return "rename the file, or leave it out with --exclude",
            Self::SpirV => return "the input must be a complete SPIR-V module",
            Self::Manifest => return "correct the manifest, or pass the shader directly",
            Self::Panic | Self::Crashed => return BUG,
            Self::TimeLimit => {
                return "give it more with --time-limit, or report it together with the shader; nothing was written";
            }
            Self::MemoryLimit => {
                return "give it more with --memory-limit, or report it together with the shader; nothing was written";
            }
            Self::Other => return "please report it together with the shader",
        };
        match kind {
            ErrorKind::Read => {
                "the input must be a complete DXBC container of shader models 4 to 6, or LLVM bitcode; `trellis dis` prints SPIR-V, `trellis batch` reads archives"
            }
            ErrorKind::EntryPoint => {
                "`trellis list FILE` prints the entry points; choose one with --entry NAME"
            }
            ErrorKind::Unsupported => {
                "this version does not translate the feature; compile without it, or report it together with the shader"
            }
            ErrorKind::Invalid => {
                "the shader violates a rule of DXIL; `trellis dis FILE` shows the instruction"
            }
            ErrorKind::Binding => "add the resource to the --bindings file, or change --shift",
            ErrorKind::StageIo => {
                "change the entry of the element in the --stage-io file; `trellis reflect FILE` lists the elements"
            }
            ErrorKind::NoValidator => {
                "build with `cargo build --release --features validate`, or remove --validate; Trellis's own verifier always runs"
            }
            kind if kind.is_bug() => BUG,
            _ => Self::Other.help(),
        }
    }
}

impl From<ErrorKind> for Kind {
    fn from(kind: ErrorKind) -> Self {
        Self::Conversion(kind)
    }
}

impl From<Kind> for &'static str {
    fn from(kind: Kind) -> Self {
        kind.name()
    }
}

impl From<String> for Kind {
    /// Returns the kind of a name in a report.
    fn from(name: String) -> Self {
        Self::all()
            .find(|kind| kind.name() == name)
            .unwrap_or(Self::Other)
    }
}

/// The reason why a shader was not converted: the `error` of a shader in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: Kind,
    /// Of an unsupported feature its sort: the name of the backend's `Feature`, such as
    /// `operation` or `pointer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// Of an unsupported feature the `dx.op` operation that it is about, such as `SampleLevel`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Of an invalid shader the sort of rule that is broken, such as `recursion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<InvalidKind>,
    /// The message: the fault and the expected input.
    pub message: String,
    /// The location in the input.
    #[serde(default, skip_serializing_if = "InputLocation::is_empty")]
    pub location: Box<InputLocation>,
}

impl Failure {
    /// Creates a failure with only a kind and a message.
    pub fn new(kind: impl Into<Kind>, message: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            feature: None,
            operation: None,
            invalid: None,
            message: message.into(),
            location: Box::default(),
        }
    }

    /// Returns the sort of the failure, the same for all failures that are alike: the kind, the feature, the
    /// operation and the rule, as far as there are any, such as `unsupported:operation:SampleLevel` or
    /// `invalid:recursion`.
    pub fn sort(&self) -> String {
        let mut sort = self.kind.name().to_owned();
        let rule = self.invalid.map(InvalidKind::name).map(str::to_owned);
        let parts = [&self.feature, &self.operation, &rule];
        for part in parts.into_iter().flatten() {
            sort.push(':');
            sort.push_str(part);
        }
        sort
    }

    /// Returns a suggested fix for the user: the kind's, or a more specific one.
    pub fn help(&self) -> &'static str {
        match self.feature.as_deref() {
            Some("target") => "choose a later target with --target, if the device has it",
            _ => self.kind.help(),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<&ReadError> for Failure {
    fn from(error: &ReadError) -> Self {
        Self {
            location: Box::new(error.into()),
            ..Self::new(ErrorKind::Read, error.to_string())
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let mut failure = Self {
            location: Box::new(error.input_location()),
            ..Self::new(error.kind(), error.to_string())
        };
        match error {
            Error::Unsupported { feature, .. } => {
                failure.feature = Some(feature.name().to_owned());
                failure.operation = feature.operation().map(|op| op.name().to_owned());
            }
            Error::Invalid { kind, .. } => failure.invalid = Some(*kind),
            _ => {}
        }
        failure
    }
}

impl From<&DisassembleError> for Failure {
    fn from(error: &DisassembleError) -> Self {
        Self::new(Kind::SpirV, format!("not SPIR-V: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use trellis_dxil::error::{Feature, InvalidKind, Location};
    use trellis_dxil::frontend::dxop::Op;

    use super::{Error, Failure, Kind};

    fn at() -> Location {
        Location {
            function: "main".into(),
            block: Some(2),
            inst: Some(7),
        }
    }

    fn json(error: &Error) -> String {
        let failure = Failure::from(error);
        let json = serde_json::to_string(&failure).unwrap();
        assert_eq!(serde_json::from_str::<Failure>(&json).unwrap(), failure);
        json
    }

    const LOCATION: &str = r#""location":{"function":"main","block":2,"instruction":7}}"#;

    #[test]
    fn an_unsupported_feature_is_named_in_fields() {
        let call = json(&Error::Unsupported {
            feature: Feature::Call {
                function: "dx.op.future".into(),
            },
            at: at(),
        });
        let start = r#"{"kind":"unsupported","feature":"call","message":"not supported: a call of function `dx.op.future`"#;
        assert!(call.starts_with(start), "{call}");
        assert!(call.ends_with(LOCATION), "{call}");
        let operation = json(&Error::Unsupported {
            feature: Feature::Operation(Op::SampleLevel),
            at: at(),
        });
        let failure: Failure = serde_json::from_str(&operation).unwrap();
        assert_eq!(failure.sort(), "unsupported:operation:SampleLevel");
        let start = r#"{"kind":"unsupported","feature":"operation","operation":"SampleLevel","#;
        assert!(operation.starts_with(start), "{operation}");
    }

    #[test]
    fn invalid_dxil_is_named_in_a_field() {
        let invalid = json(&Error::Invalid {
            kind: InvalidKind::ControlFlow,
            detail: "a block without an end".into(),
            at: at(),
        });
        let start = r#"{"kind":"invalid","invalid":"control-flow","message":"invalid shader: "#;
        assert!(invalid.starts_with(start), "{invalid}");
        assert!(invalid.ends_with(LOCATION), "{invalid}");
    }

    #[test]
    fn kinds_have_the_names_of_the_report() {
        for kind in Kind::all() {
            let name = serde_json::to_value(kind).unwrap();
            assert_eq!(name, kind.name());
            assert_eq!(serde_json::from_value::<Kind>(name).unwrap(), kind);
        }
        assert_eq!(Kind::from("of a later version".to_owned()), Kind::Other);
    }
}
