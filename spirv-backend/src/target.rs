//! The Vulkan versions that output can be for.

use serde::{Deserialize, Serialize};

/// The Vulkan version that the output is for.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[non_exhaustive]
pub enum Target {
    /// Vulkan 1.1: SPIR-V 1.3.
    #[serde(rename = "vulkan1.1")]
    Vulkan1_1,
    /// Vulkan 1.2: SPIR-V 1.5.
    #[serde(rename = "vulkan1.2")]
    Vulkan1_2,
    /// Vulkan 1.3: SPIR-V 1.6.
    #[default]
    #[serde(rename = "vulkan1.3")]
    Vulkan1_3,
    /// Vulkan 1.4: SPIR-V 1.6.
    #[serde(rename = "vulkan1.4")]
    Vulkan1_4,
}

impl Target {
    /// All targets, oldest first.
    pub const ALL: [Self; 4] = [
        Self::Vulkan1_1,
        Self::Vulkan1_2,
        Self::Vulkan1_3,
        Self::Vulkan1_4,
    ];

    /// Returns the major and minor SPIR-V version.
    pub fn spirv_version(self) -> (u8, u8) {
        match self {
            Target::Vulkan1_1 => (1, 3),
            Target::Vulkan1_2 => (1, 5),
            Target::Vulkan1_3 | Target::Vulkan1_4 => (1, 6),
        }
    }

    /// Returns the name, such as `vulkan1.3`, which [`FromStr`](std::str::FromStr) reads.
    pub fn name(self) -> &'static str {
        match self {
            Target::Vulkan1_1 => "vulkan1.1",
            Target::Vulkan1_2 => "vulkan1.2",
            Target::Vulkan1_3 => "vulkan1.3",
            Target::Vulkan1_4 => "vulkan1.4",
        }
    }
}

/// A text that is not the name of a [`Target`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown target `{name}`: expected vulkan1.1, vulkan1.2, vulkan1.3 or vulkan1.4")]
#[non_exhaustive]
pub struct ParseTargetError {
    /// The text.
    pub name: String,
}

impl std::str::FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| ParseTargetError {
            name: name.to_owned(),
        })
    }
}
