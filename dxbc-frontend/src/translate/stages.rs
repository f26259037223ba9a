//! Inputs, outputs and system values, and the instructions that only some stages have.

use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::Predicate;
use trellis_dxil_frontend::shader::{ComponentType, SemanticKind, SignatureElement};

use super::Translator;
use super::flow::CLASS_LINKAGE;
use super::interface::Side;
use crate::build::{Overload, Value};
use crate::error::Error;
use crate::tokens::{Index, Instruction, Op, Operand, RegisterFile};

/// The variables of a geometry shader's outputs, if it has several streams, whose registers
/// overlap.
pub(super) const OUTPUTS: u32 = 1 << 25;

/// A component of a signature element, as operations name it.
struct Place {
    /// Number of the element.
    id: Value,
    /// Row in it, which may be dynamic.
    row: Value,
    /// Column in it.
    col: Value,
    overload: Overload,
    semantic: SemanticKind,
}

/// Places, each with the condition that it is the one; a single place has none.
type Places = SmallVec<[(Option<Value>, Place); 1]>;

impl Translator<'_> {
    /// Returns the mask of the streams of outputs: stream 0 except in geometry shaders.
    fn streams(&self) -> u32 {
        let geometry = self.interface.properties.geometry;
        geometry.map_or(1, |geometry| geometry.streams.max(1))
    }

    /// Returns whether outputs are variables until a vertex is emitted.
    pub(super) fn has_output_variables(&self) -> bool {
        self.streams().count_ones() > 1
    }

    /// Returns whether the walk is in a hull shader's patch-constant phases.
    pub(super) fn is_patch_constant(&self) -> bool {
        let hull = self.interface.properties.hull;
        hull.is_some_and(|hull| hull.patch_constant_function.is_some())
    }

    /// Returns the place of a component in a signature element; `row` is a register.
    fn element_place(
        &mut self,
        found: &SignatureElement,
        row: Index,
        component: u8,
    ) -> Result<Place, Error> {
        let mut relative = Index {
            base: row.base.wrapping_sub(found.start_row as u32),
            ..row
        };
        if found.rows == 1 {
            relative = Index::default();
        }
        Ok(Place {
            id: self.b.i32(found.id),
            row: self.index(relative)?,
            col: self.b.i8(component.wrapping_sub(found.start_col as u8)),
            overload: match found.ty {
                ComponentType::F32 => Overload::F32,
                _ => Overload::I32,
            },
            semantic: found.semantic,
        })
    }

    /// Returns the place of a component of a register. If a dynamic index selects among several
    /// elements, returns the place in each register, with the condition that it is selected.
    fn places(
        &mut self,
        side: Side,
        stream: u8,
        row: Index,
        component: u8,
    ) -> Result<Places, Error> {
        let registers = match row.relative.is_some() {
            true => self.interface.range(side, row.base, component),
            false => row.base..row.base.saturating_add(1),
        };
        let found = registers.filter_map(|register| {
            let element = self.interface.element(side, stream, register, component)?;
            Some((register, element.clone()))
        });
        let found: SmallVec<[(u32, SignatureElement); 1]> = found.collect();
        let Some((_, first)) = found.first() else {
            return Err(self.invalid("the register is not in the signature"));
        };
        if found.iter().all(|(_, element)| element.id == first.id) {
            let place = self.element_place(first, row, component)?;
            return Ok(smallvec![(None, place)]);
        }
        let index = self.index(row)?;
        let mut places = Places::new();
        for (register, element) in &found {
            let number = self.b.i32(*register);
            let is_selected = self.b.cmp(Predicate::IEq, index, number);
            let row = Index {
                base: *register,
                ..Index::default()
            };
            places.push((
                Some(is_selected),
                self.element_place(element, row, component)?,
            ));
        }
        Ok(places)
    }

    /// Returns the value of the place that is selected.
    fn selected_place(
        &mut self,
        places: &Places,
        mut value: impl FnMut(&mut Self, &Place) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        let mut result = None;
        for (is_selected, place) in places {
            let value = value(self, place)?;
            result = Some(match (result, *is_selected) {
                (Some(before), Some(is_selected)) => {
                    let (value, before) = (self.b.int(value), self.b.int(before));
                    self.b.select(is_selected, value, before)
                }
                _ => value,
            });
        }
        result.ok_or_else(|| self.missing_operand())
    }

    /// Returns the places of a component of an input register, and the vertex or control point
    /// that the operand selects.
    fn input_places(
        &mut self,
        operand: &Operand,
        component: u8,
    ) -> Result<(Places, Option<Value>), Error> {
        let (vertex, row) = match *operand.indices() {
            [row] => (None, row),
            [vertex, row] => (Some(vertex), row),
            _ => return Err(self.invalid("the number of indices")),
        };
        let side = match operand.file {
            RegisterFile::InputPatchConstant => Side::PatchConstant,
            RegisterFile::OutputControlPoint => Side::Output,
            _ => Side::Input,
        };
        let places = self.places(side, 0, row, component)?;
        let vertex = match vertex {
            Some(vertex) => Some(self.index(vertex)?),
            None => None,
        };
        Ok((places, vertex))
    }

    /// Returns a component of an input or system value.
    pub(super) fn stage_input(&mut self, operand: &Operand, component: u8) -> Result<Value, Error> {
        use RegisterFile as F;
        let number = |t: &mut Self, op| Ok(t.b.op_once(op, Overload::I32, &[]));
        let vector = |t: &mut Self, op| {
            let component = t.b.i32(component.into());
            Ok(t.b.op_once(op, Overload::I32, &[component]))
        };
        match operand.file {
            F::InputThreadId => vector(self, Dx::ThreadId),
            F::InputThreadGroupId => vector(self, Dx::GroupId),
            F::InputThreadIdInGroup => vector(self, Dx::ThreadIdInGroup),
            F::InputThreadIdInGroupFlattened => number(self, Dx::FlattenedThreadIdInGroup),
            F::InputPrimitiveId => number(self, Dx::PrimitiveID),
            F::OutputControlPointId => number(self, Dx::OutputControlPointID),
            F::InputGsInstanceId => number(self, Dx::GSInstanceID),
            F::InputCoverageMask => number(self, Dx::Coverage),
            F::InputInnerCoverage => number(self, Dx::InnerCoverage),
            F::InputDomainPoint => {
                let component = self.b.i8(component);
                Ok(self
                    .b
                    .op_once(Dx::DomainLocation, Overload::F32, &[component]))
            }
            F::CycleCounter if component < 2 => {
                let counter = self.b.op(Dx::CycleCounterLegacy, Overload::None, &[]);
                Ok(self.b.extract(counter, component.into()))
            }
            F::CycleCounter => Ok(self.b.i32(0)),
            F::Input | F::InputControlPoint | F::InputPatchConstant | F::OutputControlPoint => {
                self.signature_input(operand, component)
            }
            F::ThisPointer | F::FunctionInput | F::FunctionOutput => {
                Err(self.unsupported(CLASS_LINKAGE))
            }
            _ => Err(self.invalid("the register is not readable")),
        }
    }

    fn signature_input(&mut self, operand: &Operand, component: u8) -> Result<Value, Error> {
        let (places, vertex) = self.input_places(operand, component)?;
        let vertex = vertex.unwrap_or_else(|| self.unused(Overload::I32));
        self.selected_place(&places, |t, place| {
            let Place {
                id,
                row,
                col,
                overload,
                semantic,
            } = *place;
            if semantic == SemanticKind::SampleIndex {
                return Ok(t.b.op_once(Dx::SampleIndex, Overload::I32, &[]));
            }
            let value = match operand.file {
                RegisterFile::InputPatchConstant => {
                    t.b.op(Dx::LoadPatchConstant, overload, &[id, row, col])
                }
                RegisterFile::OutputControlPoint => {
                    let args = [id, row, col, vertex];
                    t.b.op(Dx::LoadOutputControlPoint, overload, &args)
                }
                _ => {
                    t.b.op_once(Dx::LoadInput, overload, &[id, row, col, vertex])
                }
            };
            if semantic == SemanticKind::IsFrontFace {
                // All bits are set in DXBC; DXIL's shaders only compare it with 0.
                let flag = t.b.is_nonzero(value);
                return Ok(t.b.mask(flag));
            }
            Ok(value)
        })
    }

    /// Returns the variable of a component of an output register, from [`OUTPUTS`] on.
    pub(super) fn output_variable(&self, dst: &Operand, component: u8) -> Result<u32, Error> {
        match dst.register() {
            Some(row) if row < 32 => Ok(row * 4 + u32::from(component)),
            _ => Err(self.unsupported("an indexed output of several streams")),
        }
    }

    /// Stores a component of an output.
    pub(super) fn store_output(
        &mut self,
        dst: &Operand,
        component: u8,
        value: Value,
    ) -> Result<(), Error> {
        use RegisterFile as F;
        let (side, op) = match self.is_patch_constant() {
            true => (Side::PatchConstant, Dx::StorePatchConstant),
            false => (Side::Output, Dx::StoreOutput),
        };
        let semantic = match dst.file {
            F::Output => None,
            F::OutputDepth => Some(SemanticKind::Depth),
            F::OutputDepthGreaterEqual => Some(SemanticKind::DepthGreaterEqual),
            F::OutputDepthLessEqual => Some(SemanticKind::DepthLessEqual),
            F::OutputCoverageMask => Some(SemanticKind::Coverage),
            F::OutputStencilRef => Some(SemanticKind::StencilRef),
            _ => return Err(self.invalid("the register is not writable")),
        };
        let places = match (semantic, dst.indices()) {
            (Some(semantic), _) => {
                let Some(found) = self.interface.semantic(side, semantic).cloned() else {
                    return Err(self.invalid("the register is not in the signature"));
                };
                let component = found.start_col as u8;
                smallvec![(
                    None,
                    self.element_place(&found, Index::default(), component)?
                )]
            }
            (None, &[row]) => {
                let stream = self.streams().trailing_zeros() as u8;
                self.places(side, stream, row, component)?
            }
            _ => return Err(self.invalid("the number of indices")),
        };
        for (is_selected, place) in &places {
            let Some(is_selected) = *is_selected else {
                self.store_place(op, place, value);
                continue;
            };
            let (then, end) = (self.b.new_block(), self.b.new_block());
            self.b.cond_br(is_selected, then, end);
            self.begin_sealed(then);
            self.store_place(op, place, value);
            self.b.br(end);
            self.begin_sealed(end);
        }
        Ok(())
    }

    fn store_place(&mut self, op: Dx, place: &Place, value: Value) {
        let value = match place.overload {
            Overload::F32 => self.b.float(value),
            _ => self.b.int(value),
        };
        let args = [place.id, place.row, place.col, value];
        self.b.op_void(op, place.overload, &args);
    }

    /// Translates an instruction that only some stages have; `false` if it is another.
    pub(super) fn stage_instruction(&mut self, op: Op, inst: &Instruction) -> Result<bool, Error> {
        match op {
            // D3D11's devices without its debug layer ignore `abort` and `debug_break`.
            Op::Nop | Op::Abort | Op::DebugBreak => {}
            Op::Discard => {
                let condition = self.condition(inst)?;
                self.b.op_void(Dx::Discard, Overload::None, &[condition]);
            }
            Op::Emit | Op::EmitStream => self.emit(Dx::EmitStream, inst)?,
            Op::Cut | Op::CutStream => self.emit(Dx::CutStream, inst)?,
            Op::EmitThenCut | Op::EmitThenCutStream => self.emit(Dx::EmitThenCutStream, inst)?,
            Op::EvalCentroid => self.evaluate(inst, Dx::EvalCentroid, 0)?,
            Op::EvalSampleIndex => self.evaluate(inst, Dx::EvalSampleIndex, 1)?,
            Op::EvalSnapped => self.evaluate(inst, Dx::EvalSnapped, 2)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Translates the emission of a vertex or the end of a strip.
    fn emit(&mut self, op: Dx, inst: &Instruction) -> Result<(), Error> {
        let stream = self.program.operands(inst).first();
        let stream = match stream.map(Operand::register) {
            None => 0,
            Some(Some(stream @ 0..=3)) => stream as u8,
            Some(_) => return Err(self.invalid("the number of the stream")),
        };
        if self.has_output_variables() && op != Dx::CutStream {
            self.store_stream(stream)?;
        }
        let stream = self.b.i8(stream);
        self.b.op_void(op, Overload::None, &[stream]);
        Ok(())
    }

    /// Stores the variables of a stream's outputs.
    fn store_stream(&mut self, stream: u8) -> Result<(), Error> {
        let elements = self.interface.list(Side::Output).iter();
        let elements = elements.filter(|element| element.stream == stream);
        let elements: Vec<SignatureElement> = elements.cloned().collect();
        for element in elements {
            for (row, col) in (0..element.rows)
                .flat_map(|row| (0..element.cols).map(move |col| (row, col)))
                .filter(|_| element.start_row >= 0)
            {
                let row = element.start_row as u32 + row;
                let component = element.start_col as u8 + col;
                let value = self.b.read(OUTPUTS + row * 4 + u32::from(component));
                let row = Index {
                    base: row,
                    ..Index::default()
                };
                let place = self.element_place(&element, row, component)?;
                self.store_place(Dx::StoreOutput, &place, value);
            }
        }
        Ok(())
    }

    /// Translates an evaluation of an input at a point that `count` numbers give.
    fn evaluate(&mut self, inst: &Instruction, op: Dx, count: u8) -> Result<(), Error> {
        let (dst, input) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let mut point = [Value::default(); 2];
        for at in 0..count {
            point[usize::from(at)] = self.source(self.operand(inst, 2)?, at, Overload::I32)?;
        }
        let lanes = self.lanes(inst, dst, |t, lane| {
            if input.file != RegisterFile::Input {
                return Err(t.invalid("the operand is not an input"));
            }
            let (places, _) = t.input_places(input, input.component(lane))?;
            let value = t.selected_place(&places, |t, place| {
                let mut args = vec![place.id, place.row, place.col];
                args.extend_from_slice(&point[..usize::from(count)]);
                if place.overload != Overload::F32 {
                    return Err(t.unsupported("an input of integers"));
                }
                Ok(t.b.op(op, Overload::F32, &args))
            })?;
            let value = t.b.float(value);
            Ok(t.modified(input, value, Overload::F32))
        })?;
        self.store(inst, dst, lanes)
    }
}
