//! The classes that instructions are counted by: the sections of SPIR-V's list of instructions.

use rspirv::spirv::Op;

macro_rules! classes {
    ($( $(#[doc = $doc:literal])+ $variant:ident $name:literal, )+) => {
        /// A class of instructions (SPIR-V 1.6, sections 3.52.1 to 3.52.26).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Class {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl Class {
            /// All classes, in the order in which they are printed.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name.
            pub fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }
        }
    };
}

classes! {
    /// Names, source text, lines, and `NonSemantic` instructions.
    Debug "debug",
    /// Decorations.
    Annotation "annotation",
    /// Capabilities, extensions, imports, entry points, execution modes.
    Mode "mode",
    /// Types.
    Type "type",
    /// Constants and specialization constants.
    Constant "constant",
    /// Variables, loads, stores, pointers.
    Memory "memory",
    /// Functions, parameters, calls.
    Function "function",
    /// Images and samples.
    Image "image",
    /// Conversions.
    Conversion "conversion",
    /// Parts of composites, and copies.
    Composite "composite",
    /// Arithmetic.
    Arithmetic "arithmetic",
    /// Bits.
    Bit "bit",
    /// Comparisons, logic, selects.
    Logic "logic",
    /// Derivatives.
    Derivative "derivative",
    /// Labels, phis, merges, terminators.
    Control "control",
    /// Atomic operations.
    Atomic "atomic",
    /// Barriers, and primitives of geometry shaders.
    Barrier "barrier",
    /// Operations of groups and subgroups.
    Group "group",
    /// Ray tracing and ray queries.
    Ray "ray",
    /// Extended instructions, for example of `GLSL.std.450`.
    Extended "extended",
    /// All others.
    Other "other",
}

impl Class {
    /// Returns the class of an opcode. Core instructions are numbered by section; of extensions
    /// only common ones in shaders are distinguished.
    pub fn of(opcode: u16) -> Self {
        match opcode {
            1 | 41..=52 => Self::Constant,
            2..=8 | 317 | 330 => Self::Debug,
            10 | 11 | 14..=17 | 331 => Self::Mode,
            12 => Self::Extended,
            19..=39 | 322 | 327 => Self::Type,
            54..=57 => Self::Function,
            59..=70 | 401..=403 => Self::Memory,
            71..=75 | 332 | 5632 | 5633 => Self::Annotation,
            77..=84 | 400 => Self::Composite,
            86..=107 | 305..=316 | 320 => Self::Image,
            109..=124 => Self::Conversion,
            126..=152 => Self::Arithmetic,
            154..=191 => Self::Logic,
            194..=205 => Self::Bit,
            207..=215 => Self::Derivative,
            218..=225 => Self::Barrier,
            227..=242 | 318 | 319 => Self::Atomic,
            245..=257 | 4416 => Self::Control,
            259..=304 | 333..=366 | 4421..=4432 => Self::Group,
            _ => Op::from_u32(opcode.into()).map_or(Self::Other, Self::of_extension),
        }
    }

    fn of_extension(op: Op) -> Self {
        const RAY: [&str; 9] = [
            "RayQuery",
            "TraceRay",
            "TraceMotion",
            "HitObject",
            "ReportIntersection",
            "IgnoreIntersection",
            "TerminateRay",
            "ExecuteCallable",
            "ReorderThread",
        ];
        let name = format!("{op:?}");
        let begins = |start: &str| name.starts_with(start);
        if RAY.into_iter().any(begins) {
            Self::Ray
        } else if begins("Type") {
            Self::Type
        } else if begins("Atomic") {
            Self::Atomic
        } else if begins("Group") || begins("Subgroup") {
            Self::Group
        } else if begins("Image") {
            Self::Image
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::Class;

    #[test]
    fn classes_of_opcodes() {
        let of = |op: Op| Class::of(op as u16).name();
        assert_eq!(of(Op::Load), "memory");
        assert_eq!(of(Op::Select), "logic");
        assert_eq!(of(Op::Phi), "control");
        assert_eq!(of(Op::Unreachable), "control");
        assert_eq!(of(Op::GroupNonUniformIAdd), "group");
        assert_eq!(of(Op::RayQueryProceedKHR), "ray");
        assert_eq!(of(Op::TypeRayQueryKHR), "type");
        assert_eq!(of(Op::AtomicFAddEXT), "atomic");
        assert_eq!(Class::of(0xFFFF).name(), "other");
    }

    #[test]
    fn all_is_in_the_order_of_the_numbers() {
        for (index, class) in Class::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, index);
        }
    }
}
