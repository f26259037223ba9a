//! Decodes declarations.

use super::codes::{
    InputPrimitive, Interpolation, OutputTopology, RegisterFile, ResourceDimension, SamplerMode,
    SystemValue, TessDomain, TessOutputPrimitive, TessPartitioning,
};
use super::cursor::{Cursor, Result};
use super::decode::return_type;
use super::op::Op;
use super::program::{Binding, Declaration, GlobalFlags, Operand, OperandId, Program, UavFlags};
use crate::error::ProgramErrorKind;
use crate::limits::MAX_TEMPS;

/// Returns the variant with the number `$bits`, or an error that names the field.
macro_rules! code {
    ($item:expr, $ty:ident, $bits:expr, $field:literal, $expected:literal) => {{
        let code = $bits;
        $ty::from_code(code).ok_or_else(|| $item.bad_field($field, code, $expected))?
    }};
}

impl Program {
    /// Reads a declaration; `token` is its first token.
    pub(super) fn declaration(
        &mut self,
        op: Op,
        token: u32,
        item: &mut Cursor<'_>,
    ) -> Result<Declaration> {
        // Most fields of the first token begin here.
        let bits = token >> 11;
        Ok(match op {
            Op::DclGlobalFlags => Declaration::GlobalFlags(GlobalFlags(token & 0x00ff_f800)),
            Op::DclConstantbuffer
            | Op::DclSampler
            | Op::DclResource
            | Op::DclResourceRaw
            | Op::DclResourceStructured
            | Op::DclUavTyped
            | Op::DclUavRaw
            | Op::DclUavStructured => self.resource(op, token, item)?,
            Op::DclTgsmRaw => Declaration::RawGroupshared {
                id: self.number(RegisterFile::ThreadGroupSharedMemory, item)?,
                size: item.u32("size")?,
            },
            Op::DclTgsmStructured => Declaration::StructuredGroupshared {
                id: self.number(RegisterFile::ThreadGroupSharedMemory, item)?,
                stride: item.u32("stride")?,
                count: item.u32("count")?,
            },
            Op::DclInput
            | Op::DclInputSgv
            | Op::DclInputSiv
            | Op::DclInputPs
            | Op::DclInputPsSgv
            | Op::DclInputPsSiv => {
                let has_interpolation =
                    matches!(op, Op::DclInputPs | Op::DclInputPsSgv | Op::DclInputPsSiv);
                let code = if has_interpolation { bits & 15 } else { 0 };
                Declaration::Input {
                    interpolation: code!(item, Interpolation, code, "interpolation", "0 to 7"),
                    operand: self.declared(item)?,
                    system_value: match op {
                        Op::DclInput | Op::DclInputPs => SystemValue::Undefined,
                        _ => system_value(item)?,
                    },
                }
            }
            Op::DclOutput | Op::DclOutputSgv | Op::DclOutputSiv => Declaration::Output {
                operand: self.declared(item)?,
                system_value: match op {
                    Op::DclOutput => SystemValue::Undefined,
                    _ => system_value(item)?,
                },
            },
            Op::DclIndexrange => Declaration::IndexRange {
                operand: self.declared(item)?,
                count: item.u32("register count")?,
            },
            Op::DclTemps => Declaration::Temps {
                count: limited(item.u32("register count")?, item)?,
            },
            Op::DclIndexableTemp => Declaration::IndexableTemp {
                id: limited(item.u32("register")?, item)?,
                registers: limited(item.u32("register count")?, item)?,
                components: item.u32("component count")?.clamp(1, 4),
            },
            Op::DclOutputtopology => Declaration::OutputTopology(code!(
                item,
                OutputTopology,
                bits & 63,
                "topology",
                "1, 3 or 5"
            )),
            Op::DclInputprimitive => Declaration::InputPrimitive(code!(
                item,
                InputPrimitive,
                bits & 63,
                "primitive",
                "1 to 3 or 6 to 39"
            )),
            Op::DclMaxout => Declaration::MaxOutputVertices(item.u32("vertex count")?),
            Op::DclGsinstances => Declaration::GsInstances(item.u32("instance count")?),
            Op::DclStream => Declaration::Stream(self.number(RegisterFile::Stream, item)?),
            Op::DclThreadGroup => Declaration::ThreadGroup([
                item.u32("threads")?,
                item.u32("threads")?,
                item.u32("threads")?,
            ]),
            Op::DclFunctionBody | Op::DclFunctionTable | Op::DclInterface => {
                self.function(op, token, item)?
            }
            _ => hull(op, bits, item)?,
        })
    }

    /// Reads a declaration of a resource.
    fn resource(&mut self, op: Op, token: u32, item: &mut Cursor<'_>) -> Result<Declaration> {
        let bits = token >> 11;
        let file = match op {
            Op::DclConstantbuffer => RegisterFile::ConstantBuffer,
            Op::DclSampler => RegisterFile::Sampler,
            Op::DclResource | Op::DclResourceRaw | Op::DclResourceStructured => {
                RegisterFile::Resource
            }
            _ => RegisterFile::UnorderedAccessView,
        };
        let flag = |bit: u32| token >> bit & 1 != 0;
        let flags = UavFlags {
            globally_coherent: flag(16),
            rasterizer_ordered: flag(17),
            has_counter: flag(23),
        };
        let operand = self.register(file, item)?;
        let [first, second, third] = operand.indices.map(|index| index.base);
        let expected = match (self.has_ranges(), file) {
            (true, _) => 3,
            (false, RegisterFile::ConstantBuffer) => 2,
            _ => 1,
        };
        if operand.index_count != expected {
            let count = operand.index_count.into();
            return Err(item.bad_field("number of indices", count, "1, 2 or 3, by the model"));
        }
        let (lower, upper) = if self.has_ranges() {
            (second, third)
        } else {
            (first, first)
        };
        if lower > upper {
            return Err(item.bad_field("last register", upper, "the first register or more"));
        }
        let mut binding = Binding {
            id: first,
            lower,
            upper,
            space: 0,
        };
        let dimension = match op {
            Op::DclResource | Op::DclUavTyped => {
                code!(
                    item,
                    ResourceDimension,
                    bits & 31,
                    "resource dimension",
                    "0 to 12"
                )
            }
            _ => ResourceDimension::Unknown,
        };
        // A declaration has at most one token between its operand and its space.
        let extra = match op {
            Op::DclResource | Op::DclUavTyped => item.u32("return type")?,
            Op::DclResourceStructured | Op::DclUavStructured => item.u32("stride")?,
            Op::DclConstantbuffer if self.has_ranges() => item.u32("size")?,
            Op::DclConstantbuffer => second,
            _ => 0,
        };
        if self.has_ranges() {
            binding.space = item.u32("space")?;
        }
        Ok(match op {
            Op::DclConstantbuffer => Declaration::ConstantBuffer {
                binding,
                size: extra,
                dynamic_index: bits & 1 != 0,
            },
            Op::DclSampler => Declaration::Sampler {
                binding,
                mode: code!(item, SamplerMode, bits & 15, "sampler mode", "0 to 2"),
            },
            Op::DclResource => Declaration::Resource {
                binding,
                dimension,
                sample_count: token >> 16 & 127,
                return_type: return_type(extra, item)?,
            },
            Op::DclResourceRaw => Declaration::RawResource { binding },
            Op::DclResourceStructured => Declaration::StructuredResource {
                binding,
                stride: extra,
            },
            Op::DclUavTyped => Declaration::TypedUav {
                binding,
                flags,
                dimension,
                return_type: return_type(extra, item)?,
            },
            Op::DclUavRaw => Declaration::RawUav { binding, flags },
            _ => Declaration::StructuredUav {
                binding,
                flags,
                stride: extra,
            },
        })
    }

    /// Reads a declaration for interfaces.
    fn function(&mut self, op: Op, token: u32, item: &mut Cursor<'_>) -> Result<Declaration> {
        let id = item.u32("number")?;
        Ok(match op {
            Op::DclFunctionBody => Declaration::FunctionBody(id),
            Op::DclFunctionTable => {
                let count = item.u32("body count")?;
                let bodies = self.take_words(item, count as usize)?;
                Declaration::FunctionTable { id, bodies }
            }
            _ => {
                let methods = item.u32("method count")?;
                let lengths = item.u32("table count")?;
                Declaration::Interface {
                    id,
                    dynamic_index: token >> 11 & 1 != 0,
                    methods,
                    array_length: lengths >> 16,
                    tables: self.take_words(item, (lengths & 0xffff) as usize)?,
                }
            }
        })
    }

    /// Reads a register that a declaration declares, and adds it to the pool.
    fn declared(&mut self, item: &mut Cursor<'_>) -> Result<OperandId> {
        let operand = item.operand(self)?;
        if operand.has_relative_index() {
            let what = "a relative index in a declaration";
            return Err(item.error(ProgramErrorKind::Invalid { what }));
        }
        if !(operand.file.is_value() || operand.file.is_destination()) {
            let code = operand.file as u32;
            return Err(item.bad_field("register file", code, "an input or output"));
        }
        Ok(self.operands.push(operand))
    }

    /// Reads a register of a file, with constant indices only.
    fn register(&mut self, file: RegisterFile, item: &mut Cursor<'_>) -> Result<Operand> {
        let operand = item.operand(self)?;
        if operand.file != file {
            let code = operand.file as u32;
            return Err(item.bad_field("register file", code, "the declaration's"));
        }
        if operand.has_relative_index() {
            let what = "a relative index in a declaration";
            return Err(item.error(ProgramErrorKind::Invalid { what }));
        }
        Ok(operand)
    }

    /// Reads a register of a file that has one index, and returns the index.
    fn number(&mut self, file: RegisterFile, item: &mut Cursor<'_>) -> Result<u32> {
        let register = self.register(file, item)?.register();
        register.ok_or_else(|| item.bad_field("number of indices", 0, "1"))
    }
}

/// Reads a declaration of a hull shader.
fn hull(op: Op, bits: u32, item: &mut Cursor<'_>) -> Result<Declaration> {
    Ok(match op {
        Op::HsDecls | Op::HsControlPointPhase | Op::HsForkPhase | Op::HsJoinPhase => {
            Declaration::HullPhase
        }
        Op::DclInputControlPointCount => Declaration::InputControlPoints(bits & 63),
        Op::DclOutputControlPointCount => Declaration::OutputControlPoints(bits & 63),
        Op::DclTessellatorDomain => {
            Declaration::TessDomain(code!(item, TessDomain, bits & 3, "domain", "0 to 3"))
        }
        Op::DclTessellatorPartitioning => Declaration::TessPartitioning(code!(
            item,
            TessPartitioning,
            bits & 7,
            "partitioning",
            "0 to 4"
        )),
        Op::DclTessellatorOutputPrimitive => Declaration::TessOutputPrimitive(code!(
            item,
            TessOutputPrimitive,
            bits & 7,
            "output primitive",
            "0 to 4"
        )),
        Op::DclHsMaxTessfactor => {
            Declaration::MaxTessFactor(f32::from_bits(item.u32("tessellation factor")?))
        }
        Op::DclHsForkPhaseInstanceCount | Op::DclHsJoinPhaseInstanceCount => {
            Declaration::PhaseInstances(item.u32("instance count")?)
        }
        _ => {
            let what = "this declaration";
            return Err(item.error(ProgramErrorKind::Unsupported { what }));
        }
    })
}

/// Reads the system value of an input or output.
fn system_value(item: &mut Cursor<'_>) -> Result<SystemValue> {
    let token = item.u32("system value")?;
    Ok(code!(
        item,
        SystemValue,
        token & 0xffff,
        "system value",
        "0 to 22"
    ))
}

/// Checks a number of registers.
fn limited(count: u32, item: &Cursor<'_>) -> Result<u32> {
    if count > MAX_TEMPS {
        return Err(item.error(ProgramErrorKind::Limit {
            what: "registers",
            count: count.into(),
            limit: MAX_TEMPS.into(),
        }));
    }
    Ok(count)
}
