//! The Vulkan versions that output can be for.

/// The Vulkan version that the output is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Vulkan 1.1: SPIR-V 1.3.
    Vulkan1_1,
    /// Vulkan 1.2: SPIR-V 1.5.
    Vulkan1_2,
    /// Vulkan 1.3: SPIR-V 1.6.
    #[default]
    Vulkan1_3,
    /// Vulkan 1.4: SPIR-V 1.6.
    Vulkan1_4,
}

impl Target {
    /// Major and minor SPIR-V version.
    pub fn spirv_version(self) -> (u8, u8) {
        match self {
            Target::Vulkan1_1 => (1, 3),
            Target::Vulkan1_2 => (1, 5),
            Target::Vulkan1_3 | Target::Vulkan1_4 => (1, 6),
        }
    }
    /// Name as written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Vulkan1_1 => "vulkan1.1",
            Target::Vulkan1_2 => "vulkan1.2",
            Target::Vulkan1_3 => "vulkan1.3",
            Target::Vulkan1_4 => "vulkan1.4",
        }
    }
}

impl std::str::FromStr for Target {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        [
            Target::Vulkan1_1,
            Target::Vulkan1_2,
            Target::Vulkan1_3,
            Target::Vulkan1_4,
        ]
        .into_iter()
        .find(|t| t.name() == s)
        .ok_or_else(|| {
            format!("unknown target `{s}`: expected vulkan1.1, vulkan1.2, vulkan1.3 or vulkan1.4")
        })
    }
}
