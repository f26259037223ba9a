//! Textures and typed buffers: samples, gathers, loads and stores of texels, and queries.
//!
//! The swizzle of a resource operand selects from the result. Operands after the sampler come in the
//! order of DXIL's operands.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::{BinaryOp, CastOp};
use trellis_dxil_frontend::shader::ResourceKind;

use super::Translator;
use super::resources::Access;
use crate::build::{Overload, Value};
use crate::error::Error;
use crate::tokens::{Instruction, Op, Operand, OperandRole, RegisterFile, ResinfoType};

/// Field of a load's or sample's result that has the status.
const STATUS: u32 = 4;

/// Operands of an operation.
type Args = SmallVec<[Value; 20]>;

/// Operands of an instruction that yields a vector.
pub(super) struct Results<'p> {
    pub(super) value: &'p Operand,
    /// The status of the access, of instructions with `_s`.
    pub(super) status: Option<&'p Operand>,
    /// The operands that are read.
    pub(super) sources: &'p [Operand],
}

/// Numbers of components for a texture.
#[derive(Clone, Copy)]
pub(super) struct Dimensions {
    /// Of a coordinate, the layer included.
    pub(super) coords: usize,
    /// Of a derivative.
    position: usize,
    /// Of an offset.
    offset: usize,
}

impl Dimensions {
    fn of(kind: ResourceKind) -> Option<Self> {
        use ResourceKind as K;
        let (coords, position, offset) = match kind {
            K::Texture1D => (1, 1, 1),
            K::Texture1DArray => (2, 1, 1),
            K::Texture2D | K::Texture2DMS => (2, 2, 2),
            K::Texture2DArray | K::Texture2DMSArray => (3, 2, 2),
            K::Texture3D => (3, 3, 3),
            K::TextureCube => (3, 3, 0),
            K::TextureCubeArray => (4, 3, 0),
            K::TypedBuffer => (1, 1, 0),
            _ => return None,
        };
        Some(Self {
            coords,
            position,
            offset,
        })
    }
}

impl<'p> Translator<'p> {
    /// Splits the operands of an instruction that yields a vector.
    pub(super) fn results(&self, op: Op, inst: &Instruction) -> Result<Results<'p>, Error> {
        let has_status = matches!(op.info().operands.get(1), Some(OperandRole::Dest(_)));
        match (self.program.operands(inst), has_status) {
            ([value, status, sources @ ..], true) => Ok(Results {
                value,
                status: Some(status),
                sources,
            }),
            ([value, sources @ ..], false) => Ok(Results {
                value,
                status: None,
                sources,
            }),
            _ => Err(self.missing_operand()),
        }
    }

    /// Writes the result of an operation, as the swizzle of `resource` selects, and the status.
    pub(super) fn write_results(
        &mut self,
        inst: &Instruction,
        results: &Results<'p>,
        resource: &Operand,
        loaded: Value,
    ) -> Result<(), Error> {
        self.write_lanes(inst, results.value, |t, lane| {
            t.b.extract(loaded, resource.component(lane).into())
        })?;
        match results.status {
            Some(status) => self.write_lanes(inst, status, |t, _| t.b.extract(loaded, STATUS)),
            None => Ok(()),
        }
    }

    pub(super) fn dimensions(&self, access: &Access) -> Result<Dimensions, Error> {
        Dimensions::of(access.kind)
            .ok_or_else(|| self.invalid("the resource is not a texture or typed buffer"))
    }

    /// Appends `count` components of an operand to a list, and undefined values up to `len`.
    pub(super) fn push_vector(
        &mut self,
        args: &mut Args,
        operand: &Operand,
        (count, len): (usize, usize),
        overload: Overload,
    ) -> Result<(), Error> {
        for lane in 0..len {
            args.push(match lane < count {
                true => self.source(operand, lane as u8, overload)?,
                false => self.unused(overload),
            });
        }
        Ok(())
    }

    /// Returns the operand that has no meaning.
    pub(super) fn unused(&mut self, overload: Overload) -> Value {
        self.b.undef(self.b.scalar(overload))
    }

    /// Appends the immediate offset of an access.
    fn push_offset(&mut self, args: &mut Args, inst: &Instruction, (count, len): (usize, usize)) {
        for i in 0..len {
            args.push(match inst.offset.get(i) {
                Some(&offset) if i < count => self.b.i32(i32::from(offset) as u32),
                _ => self.unused(Overload::I32),
            });
        }
    }

    /// Translates a sample.
    pub(super) fn sample(&mut self, op: Op, dx: Dx, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [coordinate, texture, sampler, more @ ..] = results.sources else {
            return Err(self.missing_operand());
        };
        let (image, sampler) = (self.resource(texture)?, self.resource(sampler)?);
        let dimensions = self.dimensions(&image)?;
        let mut args = Args::from_slice(&[image.handle, sampler.handle]);
        self.push_vector(&mut args, coordinate, (dimensions.coords, 4), Overload::F32)?;
        self.push_offset(&mut args, inst, (dimensions.offset, 3));
        for (i, operand) in more.iter().enumerate() {
            let is_gradient = dx == Dx::SampleGrad && i < 2;
            let lanes = if is_gradient {
                (dimensions.position, 3)
            } else {
                (1, 1)
            };
            self.push_vector(&mut args, operand, lanes, Overload::F32)?;
        }
        if args.len() < dx.info().params.len() {
            // Without a clamp of the level of detail.
            args.push(self.b.f32(0.0));
        }
        let overload = match dx {
            Dx::SampleCmp | Dx::SampleCmpLevelZero => Overload::F32,
            _ => image.overload,
        };
        let loaded = self.b.op(dx, overload, &args);
        self.write_results(inst, &results, texture, loaded)
    }

    /// Translates a gather. The sampler's component selects the channel.
    pub(super) fn gather(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        use Op as O;
        let results = self.results(op, inst)?;
        let has_offset = matches!(
            op,
            O::Gather4Po | O::Gather4PoS | O::Gather4PoC | O::Gather4PoCS
        );
        let (coordinate, offset, rest) = match (results.sources, has_offset) {
            ([coordinate, offset, rest @ ..], true) => (coordinate, Some(offset), rest),
            ([coordinate, rest @ ..], false) => (coordinate, None, rest),
            _ => return Err(self.missing_operand()),
        };
        let [texture, sampler, compare @ ..] = rest else {
            return Err(self.missing_operand());
        };
        let image = self.resource(texture)?;
        let channel = sampler.component(0);
        let sampler = self.resource(sampler)?;
        let dimensions = self.dimensions(&image)?;
        let mut args = Args::from_slice(&[image.handle, sampler.handle]);
        self.push_vector(&mut args, coordinate, (dimensions.coords, 4), Overload::F32)?;
        match offset {
            Some(offset) => self.push_vector(&mut args, offset, (2, 2), Overload::I32)?,
            None => self.push_offset(&mut args, inst, (dimensions.offset, 2)),
        }
        args.push(self.b.i32(channel.into()));
        let (dx, overload) = match compare {
            [compare] => {
                args.push(self.source(compare, 0, Overload::F32)?);
                (Dx::TextureGatherCmp, Overload::F32)
            }
            _ => (Dx::TextureGather, image.overload),
        };
        let loaded = self.b.op(dx, overload, &args);
        self.write_results(inst, &results, texture, loaded)
    }

    /// Translates `lod`: x is clamped to the view's mip levels, y is not, z and w are 0.
    pub(super) fn level_of_detail(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [coordinate, texture, sampler] = results.sources else {
            return Err(self.missing_operand());
        };
        let (image, sampler) = (self.resource(texture)?, self.resource(sampler)?);
        let position = self.dimensions(&image)?.position;
        let mut args = Args::from_slice(&[image.handle, sampler.handle]);
        self.push_vector(&mut args, coordinate, (position, 3), Overload::F32)?;
        self.write_lanes(inst, results.value, |t, lane| {
            let component = texture.component(lane);
            if component > 1 {
                return t.b.f32(0.0);
            }
            let mut args = args.clone();
            args.push(t.b.bool(component == 0));
            t.b.op(Dx::CalculateLOD, Overload::F32, &args)
        })
    }

    /// Translates a load of a texel. The mip level is the coordinate's last component, the sample a
    /// further operand.
    pub(super) fn load_texel(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [coordinate, texture, sample @ ..] = results.sources else {
            return Err(self.missing_operand());
        };
        let image = self.resource(texture)?;
        let dimensions = self.dimensions(&image)?;
        let mut args = Args::from_slice(&[image.handle]);
        let dx = if image.kind == ResourceKind::TypedBuffer {
            self.push_vector(&mut args, coordinate, (1, 2), Overload::I32)?;
            Dx::BufferLoad
        } else {
            args.push(match sample {
                [sample] => self.source(sample, 0, Overload::I32)?,
                _ if image.is_uav => self.unused(Overload::I32),
                _ => self.source(coordinate, 3, Overload::I32)?,
            });
            self.push_vector(
                &mut args,
                coordinate,
                (dimensions.coords.min(3), 3),
                Overload::I32,
            )?;
            let offset = if image.is_uav { 0 } else { dimensions.offset };
            self.push_offset(&mut args, inst, (offset, 3));
            Dx::TextureLoad
        };
        let loaded = self.b.op(dx, image.overload, &args);
        self.write_results(inst, &results, texture, loaded)
    }

    /// Translates `store_uav_typed`.
    pub(super) fn store_texel(&mut self, inst: &Instruction) -> Result<(), Error> {
        let [texture, coordinate, value] = self.program.operands(inst) else {
            return Err(self.missing_operand());
        };
        let image = self.resource(texture)?;
        let dimensions = self.dimensions(&image)?;
        let mut args = Args::from_slice(&[image.handle]);
        let dx = if image.kind == ResourceKind::TypedBuffer {
            self.push_vector(&mut args, coordinate, (1, 2), Overload::I32)?;
            Dx::BufferStore
        } else {
            self.push_vector(
                &mut args,
                coordinate,
                (dimensions.coords.min(3), 3),
                Overload::I32,
            )?;
            Dx::TextureStore
        };
        self.push_stored(&mut args, texture, value, image.overload)?;
        self.b.op_void(dx, image.overload, &args);
        Ok(())
    }

    /// Appends the four values of a store, as the mask of `to` selects, and the mask.
    pub(super) fn push_stored(
        &mut self,
        args: &mut Args,
        to: &Operand,
        value: &Operand,
        overload: Overload,
    ) -> Result<(), Error> {
        let mask = to.mask();
        for lane in 0..4 {
            args.push(match mask >> lane & 1 {
                1 => self.source(value, lane, overload)?,
                _ => self.unused(overload),
            });
        }
        args.push(self.b.i8(mask));
        Ok(())
    }

    /// Translates `resinfo`: the size of a mip level, then the number of levels. The reciprocal is of
    /// sizes in texels only, not of layers or levels.
    pub(super) fn resinfo(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [level, texture] = results.sources else {
            return Err(self.missing_operand());
        };
        let image = self.resource(texture)?;
        let dimensions = self.dimensions(&image)?;
        // The faces of a cube are 2D.
        let texels = match image.kind {
            ResourceKind::TextureCube | ResourceKind::TextureCubeArray => 2,
            _ => dimensions.position,
        };
        let level = self.source(level, 0, Overload::I32)?;
        let size = self.size(image.handle, level);
        let is_multisampled = matches!(
            image.kind,
            ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
        );
        self.write_lanes(inst, results.value, |t, lane| {
            let component = texture.component(lane);
            // DXIL has the number of samples there.
            let number = match is_multisampled && component == 3 {
                true => t.b.i32(1),
                false => t.b.extract(size, component.into()),
            };
            if inst.resinfo == ResinfoType::Uint {
                return number;
            }
            let number = t.b.cast(CastOp::UIToFP, number, Overload::F32);
            if inst.resinfo == ResinfoType::RcpFloat && usize::from(component) < texels {
                let one = t.b.f32(1.0);
                return t.b.binary(BinaryOp::FDiv, one, number);
            }
            number
        })
    }

    /// Returns the result of `GetDimensions`.
    fn size(&mut self, handle: Value, level: Value) -> Value {
        self.b
            .op(Dx::GetDimensions, Overload::None, &[handle, level])
    }

    /// Translates `bufinfo`: the number of bytes, structures or texels of a buffer.
    pub(super) fn bufinfo(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [buffer] = results.sources else {
            return Err(self.missing_operand());
        };
        let handle = self.resource(buffer)?.handle;
        let level = self.unused(Overload::I32);
        let size = self.size(handle, level);
        self.write_lanes(inst, results.value, |t, _| t.b.extract(size, 0))
    }

    /// Translates `sampleinfo`: x is the number of samples, the others are 0.
    pub(super) fn sampleinfo(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [texture] = results.sources else {
            return Err(self.missing_operand());
        };
        let count = if texture.file == RegisterFile::Rasterizer {
            self.b
                .op(Dx::RenderTargetGetSampleCount, Overload::None, &[])
        } else {
            let (handle, level) = (self.resource(texture)?.handle, self.b.i32(0));
            let size = self.size(handle, level);
            self.b.extract(size, 3)
        };
        self.write_lanes(inst, results.value, |t, lane| {
            if texture.component(lane) != 0 {
                // The bits of a float 0 are the same.
                t.b.i32(0)
            } else if inst.resinfo == ResinfoType::Uint {
                count
            } else {
                t.b.cast(CastOp::UIToFP, count, Overload::F32)
            }
        })
    }

    /// Translates `samplepos`: x and y are the position, the others are 0.
    pub(super) fn samplepos(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [texture, sample] = results.sources else {
            return Err(self.missing_operand());
        };
        let sample = self.source(sample, 0, Overload::I32)?;
        let position = if texture.file == RegisterFile::Rasterizer {
            let dx = Dx::RenderTargetGetSamplePosition;
            self.b.op(dx, Overload::None, &[sample])
        } else {
            let handle = self.resource(texture)?.handle;
            let dx = Dx::Texture2DMSGetSamplePosition;
            self.b.op(dx, Overload::None, &[handle, sample])
        };
        self.write_lanes(inst, results.value, |t, lane| {
            match texture.component(lane) {
                component @ 0..=1 => t.b.extract(position, component.into()),
                _ => t.b.f32(0.0),
            }
        })
    }

    /// Translates `check_access_fully_mapped`.
    pub(super) fn check_access(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [status] = results.sources else {
            return Err(self.missing_operand());
        };
        let status = self.source(status, 0, Overload::I32)?;
        let is_mapped = self
            .b
            .op(Dx::CheckAccessFullyMapped, Overload::I32, &[status]);
        let mask = self.b.mask(is_mapped);
        self.write_lanes(inst, results.value, |_, _| mask)
    }
}
