//! Declarations.

use std::fmt::Write as _;

use super::Listing;
use super::operand::immediate;
use crate::tokens::{
    Binding, CustomDataClass, Declaration, GlobalFlags, InputPrimitive, Interpolation, Op,
    OperandId, OperandType, RegisterFile, ResourceDimension, SystemValue, UavFlags, Words,
};

/// Flags of `dcl_globalFlags` with their names.
const GLOBAL_FLAGS: [(u32, &str); 9] = [
    (GlobalFlags::REFACTORING_ALLOWED, "refactoringAllowed"),
    (
        GlobalFlags::ENABLE_DOUBLE_PRECISION_FLOAT_OPS,
        "enableDoublePrecisionFloatOps",
    ),
    (
        GlobalFlags::FORCE_EARLY_DEPTH_STENCIL,
        "forceEarlyDepthStencil",
    ),
    (
        GlobalFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS,
        "enableRawAndStructuredBuffers",
    ),
    (GlobalFlags::SKIP_OPTIMIZATION, "skipOptimization"),
    (
        GlobalFlags::ENABLE_MINIMUM_PRECISION,
        "enableMinimumPrecision",
    ),
    (
        GlobalFlags::ENABLE_DOUBLE_EXTENSIONS,
        "enable11_1DoubleExtensions",
    ),
    (
        GlobalFlags::ENABLE_SHADER_EXTENSIONS,
        "enable11_1ShaderExtensions",
    ),
    (GlobalFlags::ALL_RESOURCES_BOUND, "allResourcesBound"),
];

impl Listing<'_> {
    pub(super) fn declaration(&mut self, op: Op, declaration: &Declaration) {
        use Declaration as D;
        if op != Op::Customdata {
            self.out.push_str(op.info().name);
        }
        let out = &mut self.out;
        let _ = match *declaration {
            D::GlobalFlags(flags) => {
                let names = GLOBAL_FLAGS
                    .iter()
                    .filter(|(flag, _)| flags.contains(*flag));
                for (i, (_, name)) in names.enumerate() {
                    out.push_str(if i == 0 { " " } else { " | " });
                    out.push_str(name);
                }
                if flags.0 == 0 {
                    out.push_str("none");
                }
                return;
            }
            D::Input {
                operand,
                interpolation,
                system_value,
            } => return self.signature(operand, interpolation, system_value),
            D::Output {
                operand,
                system_value,
            } => return self.signature(operand, Interpolation::Undefined, system_value),
            D::IndexRange { operand, count } => {
                self.signature(operand, Interpolation::Undefined, SystemValue::Undefined);
                write!(self.out, " {count}")
            }
            D::Temps { count } => write!(out, " {count}"),
            D::IndexableTemp {
                id,
                registers,
                components,
            } => write!(out, " x{id}[{registers}], {components}"),
            D::RawGroupshared { id, size } => write!(out, " g{id}, {size}"),
            D::StructuredGroupshared { id, stride, count } => {
                write!(out, " g{id}, {stride}, {count}")
            }
            D::OutputTopology(topology) => write!(out, " {} ", topology.name()),
            D::InputPrimitive(primitive) => match primitive {
                InputPrimitive::Point => write!(out, " point "),
                InputPrimitive::Line => write!(out, " line "),
                InputPrimitive::Triangle => write!(out, " triangle "),
                InputPrimitive::LineAdj => write!(out, " lineadj "),
                InputPrimitive::TriangleAdj => write!(out, " triangleadj "),
                InputPrimitive::Patch(points) => write!(out, " patch{points} "),
            },
            D::MaxOutputVertices(n)
            | D::GsInstances(n)
            | D::InputControlPoints(n)
            | D::OutputControlPoints(n)
            | D::PhaseInstances(n) => write!(out, " {n}"),
            D::Stream(id) => write!(out, " m{id}"),
            D::HullPhase => write!(out, " "),
            D::TessDomain(domain) => write!(out, " {}", domain.name()),
            D::TessPartitioning(partitioning) => write!(out, " {}", partitioning.name()),
            D::TessOutputPrimitive(primitive) => write!(out, " {}", primitive.name()),
            D::MaxTessFactor(factor) => {
                out.push_str(" l(");
                immediate(out, factor.to_bits(), OperandType::Float);
                write!(out, ")")
            }
            D::ThreadGroup([x, y, z]) => write!(out, " {x}, {y}, {z}"),
            D::FunctionBody(id) => write!(out, " fb{id}"),
            D::FunctionTable { id, bodies } => {
                let _ = write!(out, " ft{id} = ");
                return self.functions("fb", bodies);
            }
            D::Interface {
                id,
                dynamic_index,
                methods,
                array_length,
                tables,
            } => {
                let suffix = if dynamic_index { "_dynamicindexed" } else { "" };
                let _ = write!(out, "{suffix} fp{id}[{array_length}][{methods}] = ");
                return self.functions("ft", tables);
            }
            D::ConstantBuffer { .. }
            | D::Sampler { .. }
            | D::Resource { .. }
            | D::RawResource { .. }
            | D::StructuredResource { .. }
            | D::TypedUav { .. }
            | D::RawUav { .. }
            | D::StructuredUav { .. } => return self.resource(declaration),
            D::CustomData { class, words } => return self.custom_data(class, words),
        };
    }

    /// Prints a declaration of a resource after its opcode.
    fn resource(&mut self, declaration: &Declaration) {
        use Declaration as D;
        use RegisterFile as F;
        match *declaration {
            D::ConstantBuffer {
                binding,
                size,
                dynamic_index,
            } => {
                let access = ["immediateIndexed", "dynamicIndexed"][usize::from(dynamic_index)];
                self.binding(F::ConstantBuffer, binding, &format!("[{size}], {access}"));
            }
            D::Sampler { binding, mode } => {
                self.binding(F::Sampler, binding, &format!(", {}", mode.name()));
            }
            D::Resource {
                binding,
                dimension,
                sample_count,
                return_type,
            } => {
                use ResourceDimension::{Texture2DMS, Texture2DMSArray};
                let _ = write!(self.out, "_{}", dimension.name());
                if matches!(dimension, Texture2DMS | Texture2DMSArray) {
                    let _ = write!(self.out, "({sample_count})");
                }
                self.out.push(' ');
                self.return_type(return_type);
                self.binding(F::Resource, binding, "");
            }
            D::TypedUav {
                binding,
                flags,
                dimension,
                return_type,
            } => {
                let _ = write!(self.out, "_{}", dimension.name());
                self.uav_flags(flags);
                self.out.push(' ');
                self.return_type(return_type);
                self.binding(F::UnorderedAccessView, binding, "");
            }
            D::RawResource { binding } => self.binding(F::Resource, binding, ""),
            D::StructuredResource { binding, stride } => {
                self.binding(F::Resource, binding, &format!(", {stride}"));
            }
            D::RawUav { binding, flags } => {
                self.uav_flags(flags);
                self.binding(F::UnorderedAccessView, binding, "");
            }
            D::StructuredUav {
                binding,
                flags,
                stride,
            } => {
                self.uav_flags(flags);
                self.binding(F::UnorderedAccessView, binding, &format!(", {stride}"));
            }
            _ => {}
        }
    }

    fn uav_flags(&mut self, flags: UavFlags) {
        for (is_set, suffix) in [
            (flags.globally_coherent, "_glc"),
            (flags.rasterizer_ordered, "_rov"),
            (flags.has_counter, "_opc"),
        ] {
            if is_set {
                self.out.push_str(suffix);
            }
        }
    }

    /// Prints the registers of a resource, `rest` and its space.
    fn binding(&mut self, file: RegisterFile, binding: Binding, rest: &str) {
        let name = match file {
            // In upper case also before ranges.
            RegisterFile::ConstantBuffer => "CB",
            _ => self.file(file),
        };
        let _ = write!(self.out, " {name}{}", binding.id);
        let is_range = self.program.has_ranges();
        let _ = match binding.upper {
            _ if !is_range => Ok(()),
            u32::MAX => write!(self.out, "[{}:*]", binding.lower),
            upper => write!(self.out, "[{}:{upper}]", binding.lower),
        };
        self.out.push_str(rest);
        if is_range {
            let _ = write!(self.out, ", space={}", binding.space);
        }
    }

    /// Prints an input or output after its opcode.
    fn signature(
        &mut self,
        operand: OperandId,
        interpolation: Interpolation,
        system_value: SystemValue,
    ) {
        if interpolation != Interpolation::Undefined {
            let _ = write!(self.out, " {}", interpolation.name());
        }
        self.out.push(' ');
        if let Some(&operand) = self.program.operands.get(operand) {
            self.dest(&operand);
        }
        if system_value != SystemValue::Undefined {
            let _ = write!(self.out, ", {}", system_value.name());
        }
    }

    /// Prints a list of functions or tables.
    fn functions(&mut self, name: &str, ids: Words) {
        self.out.push('{');
        for (i, id) in self.program.words(ids).iter().enumerate() {
            let separator = if i > 0 { ", " } else { "" };
            let _ = write!(self.out, "{separator}{name}{id}");
        }
        self.out.push('}');
    }

    /// Prints an immediate constant buffer, one row per line.
    fn custom_data(&mut self, class: CustomDataClass, words: Words) {
        self.out.push_str(class.name());
        if class != CustomDataClass::ImmediateConstantBuffer {
            return;
        }
        self.out.push_str(" { ");
        for (i, row) in self.program.words(words).chunks(4).enumerate() {
            if i > 0 {
                let _ = write!(self.out, ",\n{:30}", "");
            }
            self.out.push_str("{ ");
            for (j, &word) in row.iter().enumerate() {
                self.out.push_str(if j > 0 { ", " } else { "" });
                immediate(&mut self.out, word, OperandType::Any);
            }
            self.out.push('}');
        }
        self.out.push_str(" }");
    }
}
