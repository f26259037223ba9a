//! The reason why a shader was not converted, as plain data for reports and messages.

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::Error as ReadError;
use trellis_spirv_backend::Error;

/// The kind of a failure. The names are those of a report's `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The input file cannot be read, or the output file cannot be written.
    Io,
    /// The bytes are not readable DXIL.
    Read,
    /// The words are not readable SPIR-V.
    #[serde(rename = "spirv")]
    SpirV,
    /// The module has no entry point with the requested name, or has several and none was
    /// requested.
    NoEntry,
    /// A DXIL feature that this version does not translate.
    Unsupported,
    /// The module violates a rule of DXIL.
    Invalid,
    /// The binding model does not map a resource.
    Binding,
    /// The structurizer rejected a function: a bug in Trellis.
    Structurize,
    /// An internal invariant of the conversion was violated: a bug in Trellis.
    Internal,
    /// Trellis's own verifier rejected the output: a bug in Trellis.
    Verify,
    /// spirv-val rejected the output: a bug in Trellis.
    Validate,
    /// spirv-val was requested in a build without it.
    NoValidator,
    /// The shader does not match its manifest.
    Manifest,
    /// The conversion panicked: a bug in Trellis.
    Panic,
    /// A failure kind that this version of the report does not define.
    Other,
}

impl Kind {
    /// Returns the name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Io => "io",
            Self::Read => "read",
            Self::SpirV => "spirv",
            Self::NoEntry => "no-entry",
            Self::Unsupported => "unsupported",
            Self::Invalid => "invalid",
            Self::Binding => "binding",
            Self::Structurize => "structurize",
            Self::Internal => "internal",
            Self::Verify => "verify",
            Self::Validate => "validate",
            Self::NoValidator => "no-validator",
            Self::Manifest => "manifest",
            Self::Panic => "panic",
            Self::Other => "other",
        }
    }

    /// Returns a suggested fix for the user.
    pub fn help(self) -> &'static str {
        match self {
            Self::Io => "check that the path exists and that its permissions allow access",
            Self::Read => {
                "the input must be a complete DXBC container or LLVM bitcode, as written by DXC for shader model 6"
            }
            Self::SpirV => "the input must be a complete SPIR-V module",
            Self::NoEntry => {
                "`trellis list FILE` prints the entry points; choose one with --entry NAME"
            }
            Self::Unsupported => {
                "this version does not translate the feature; compile without it, or report it together with the shader"
            }
            Self::Invalid => {
                "the shader violates a rule of DXIL; `trellis dis FILE` shows the instruction"
            }
            Self::Binding => "add the resource to the --bindings file, or change --shift",
            Self::Structurize | Self::Internal | Self::Verify | Self::Validate | Self::Panic => {
                "this is a bug in Trellis: please report it together with the shader; nothing was written"
            }
            Self::NoValidator => {
                "build with `cargo build --release --features validate`, or remove --validate; Trellis's own verifier always runs"
            }
            Self::Manifest => "correct the manifest, or pass the shader directly",
            Self::Other => "please report it together with the shader",
        }
    }
}

/// The location of a failure in the input; fields that are unknown or do not apply are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Part of the container (for example `DXIL`), or `bitcode` or `metadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Absolute byte offset in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_offset: Option<u64>,
    /// Function: its name, or its number as `#3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Basic block of the function, in file order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    /// Instruction of the function, in file order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<u32>,
}

impl Place {
    /// Returns true if all fields are `None`.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        let mut item = |text: Option<String>| -> std::fmt::Result {
            if let Some(text) = text {
                write!(f, "{separator}{text}")?;
                separator = ", ";
            }
            Ok(())
        };
        item(self.part.as_ref().map(|part| format!("part {part}")))?;
        item(
            self.byte_offset
                .map(|offset| format!("byte offset {offset:#x}")),
        )?;
        item(
            self.function
                .as_ref()
                .map(|function| format!("function {function}")),
        )?;
        item(self.block.map(|block| format!("block {block}")))?;
        item(
            self.instruction
                .map(|instruction| format!("instruction {instruction}")),
        )
    }
}

/// The reason why a shader was not converted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: Kind,
    /// The message: what failed and what was expected.
    pub message: String,
    /// The location in the input.
    #[serde(default, skip_serializing_if = "Place::is_empty")]
    pub location: Place,
}

impl Failure {
    /// Creates a failure without a location in the input.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            location: Place::default(),
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
            kind: Kind::Read,
            message: error.to_string(),
            location: place_of_read_error(error),
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let mut location = Place::default();
        let kind = match error {
            Error::Read(error) => {
                location = place_of_read_error(error);
                Kind::Read
            }
            Error::EntryPoint(_) => Kind::NoEntry,
            Error::Unsupported { at, .. } => {
                location = place_in_function(at);
                Kind::Unsupported
            }
            Error::Invalid { at, .. } => {
                location = place_in_function(at);
                Kind::Invalid
            }
            Error::Binding { .. } => Kind::Binding,
            Error::Structurize { function, .. } => {
                location.function = Some(function.clone());
                Kind::Structurize
            }
            Error::Internal { at, .. } => {
                location = place_in_function(at);
                Kind::Internal
            }
            Error::Verify(_) => Kind::Verify,
            Error::Validate { .. } => Kind::Validate,
            Error::NoValidator => Kind::NoValidator,
            _ => Kind::Other,
        };
        Self {
            kind,
            message: error.to_string(),
            location,
        }
    }
}

fn place_of_read_error(error: &ReadError) -> Place {
    let mut location = Place::default();
    match error {
        ReadError::Container(e) => {
            location.part = Some(e.part.to_string());
            location.byte_offset = Some(e.offset as u64);
        }
        ReadError::Bitcode(e) => {
            location.part = Some("bitcode".to_owned());
            location.byte_offset = Some(e.offset as u64);
            location.function = e.place.function.map(|number| format!("#{number}"));
            location.block = e.place.basic_block;
            location.instruction = e.place.instruction;
        }
        ReadError::Shader(_) => location.part = Some("metadata".to_owned()),
        ReadError::DxOp(_) => location.part = Some("bitcode".to_owned()),
        ReadError::Listing(_) => {}
    }
    location
}

fn place_in_function(at: &trellis_spirv_backend::Location) -> Place {
    let function = (!at.function.is_empty()).then(|| at.function.clone());
    Place {
        function,
        block: at.block,
        instruction: at.inst,
        ..Place::default()
    }
}

#[cfg(test)]
mod tests {
    use trellis_spirv_backend::Feature;

    use super::{Failure, Kind, Place};

    #[test]
    fn a_location_prints_only_known_fields() {
        let mut place = Place::default();
        assert!(place.is_empty());
        assert_eq!(place.to_string(), "");
        place.byte_offset = Some(0x1c);
        assert_eq!(place.to_string(), "byte offset 0x1c");
        place.part = Some("DXIL".into());
        place.block = Some(3);
        assert_eq!(place.to_string(), "part DXIL, byte offset 0x1c, block 3");
    }

    #[test]
    fn a_backend_error_keeps_its_location() {
        let at = trellis_spirv_backend::Location {
            function: "main".into(),
            block: Some(2),
            inst: Some(7),
        };
        let failure = Failure::from(&trellis_spirv_backend::Error::Unsupported {
            feature: Feature::Call {
                function: "dx.op.future".into(),
            },
            at,
        });
        assert_eq!(failure.kind, Kind::Unsupported);
        assert_eq!(
            failure.location.to_string(),
            "function main, block 2, instruction 7"
        );
        let json = serde_json::to_string(&failure).unwrap();
        assert!(
            json.starts_with(r#"{"kind":"unsupported","message":"not supported: a call of function `dx.op.future`"#),
            "{json}"
        );
        assert!(
            json.ends_with(r#""location":{"function":"main","block":2,"instruction":7}}"#),
            "{json}"
        );
    }

    #[test]
    fn kind_names_match_the_report() {
        for kind in [
            Kind::Io,
            Kind::SpirV,
            Kind::NoEntry,
            Kind::NoValidator,
            Kind::Panic,
            Kind::Other,
        ] {
            assert_eq!(
                serde_json::to_string(&kind).unwrap(),
                format!("\"{}\"", kind.name())
            );
        }
    }
}
