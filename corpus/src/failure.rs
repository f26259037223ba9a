//! Why one shader was not converted, as plain data: what a report stores and a command shows.

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::Error as ReadError;
use trellis_spirv_backend::Error;

/// What sort of failure it is. The names are those of a report's `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The input could not be read from, or the output not written to the disk.
    Io,
    /// The bytes are no DXIL that can be read.
    Read,
    /// The words are no SPIR-V that can be read.
    #[serde(rename = "spirv")]
    SpirV,
    /// The module has no entry point of the name that was asked for, or several and none was.
    NoEntry,
    /// Something that DXIL permits and this version does not translate.
    Unsupported,
    /// The module breaks a rule of DXIL.
    Invalid,
    /// The binding model has no place for a resource.
    Binding,
    /// The structurizer refused a function: a bug in Trellis.
    Structurize,
    /// A step of the conversion found its input in an impossible state: a bug in Trellis.
    Internal,
    /// Our own verifier rejected the output: a bug in Trellis.
    Verify,
    /// spirv-val rejected the output: a bug in Trellis.
    Validate,
    /// spirv-val was asked for in a build without it.
    NoValidator,
    /// The shader is not what its manifest says.
    Manifest,
    /// The conversion panicked: a bug in Trellis.
    Panic,
    /// A failure that this version of the report has no name for.
    Other,
}

impl Kind {
    /// The name in a report.
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

    /// What a user can do about it.
    pub fn help(self) -> &'static str {
        match self {
            Self::Io => "check that the path exists and that its permissions allow this",
            Self::Read => {
                "the input must be a DXBC container or LLVM bitcode as DXC writes it for shader model 6; is the file complete?"
            }
            Self::SpirV => "the input must be a whole SPIR-V module; is the file complete?",
            Self::NoEntry => {
                "`trellis list FILE` prints the entry points; choose one with --entry NAME"
            }
            Self::Unsupported => {
                "this version does not translate it yet; compile without the feature, or report it together with the shader"
            }
            Self::Invalid => {
                "the compiler that wrote this shader broke a rule of DXIL; `trellis dis FILE` shows the instruction"
            }
            Self::Binding => "add the resource to the file of --bindings, or change --shift",
            Self::Structurize | Self::Internal | Self::Verify | Self::Validate | Self::Panic => {
                "this is a bug in Trellis: please report it together with the shader; nothing was written"
            }
            Self::NoValidator => {
                "build with `cargo build --release --features validate`, or leave --validate out: Trellis's own verifier always runs"
            }
            Self::Manifest => "correct the manifest, or pass the shader itself instead",
            Self::Other => "please report it together with the shader",
        }
    }
}

/// Where in the input a failure is; what is unknown or does not apply is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Part of the container, such as `DXIL`, or `bitcode`, `metadata`.
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
    /// Is nothing known?
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

/// Why one shader was not converted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What sort of failure it is.
    pub kind: Kind,
    /// What failed and what was expected.
    pub message: String,
    /// Where in the input.
    #[serde(default, skip_serializing_if = "Place::is_empty")]
    pub location: Place,
}

impl Failure {
    /// A failure without a place in the input.
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
            Error::Validate(_) => Kind::Validate,
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
    fn a_place_says_only_what_is_known() {
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
    fn a_backend_error_keeps_its_place() {
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
    fn names_are_those_of_the_report() {
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
