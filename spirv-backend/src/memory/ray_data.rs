//! Data that ray tracing shaders pass to each other: ray payloads, callable data, hit attributes.
//!
//! The shaders that share this data are separate SPIR-V modules, so its SPIR-V type depends on the
//! layout of the D3D struct alone: an array of unsigned 32-bit words with the size of the struct,
//! or of 16-bit words if it has native 16-bit members. Structs of the same layout give the same
//! type, whatever their members are called and however they are nested. Hit attributes of two
//! floats are a vector of two floats: in this form Vulkan passes the barycentrics of triangles.
//!
//! DXIL passes pointers to variables of the caller; SPIR-V requires variables of a separate storage
//! class. The caller's data is copied into one of these before the call and back after it. (A
//! shader may pass on its own payload without a copy.)

use rspirv::spirv::{Decoration, Op, StorageClass, Word};
use rustc_hash::FxHashSet;
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::{InstId, InstKind, Type, TypeId};
use trellis_dxil_frontend::shader::ShaderKind;

use super::Memory;
use super::access::{inside, slot_pointer};
use super::address::{Base, resolve};
use super::layout::Layout;
use super::root::{Index, Root, StorageLocation};
use crate::error::{Error, InvalidKind, Limit, MemoryFeature, PointerFeature};
use crate::values::{FunctionBuilder, FunctionContext, Scalar};

/// Operand of `TraceRay` that points to the payload.
pub(crate) const PAYLOAD: usize = 14;
/// Operand of `CallShader`, and of operations on hit objects, that points to the data.
pub(crate) const PARAMETER: usize = 1;

/// Most numbers that are copied one by one.
const MAX_COPIES: u32 = 1024;

/// Variables of the data.
#[derive(Default)]
pub(super) struct RayData {
    /// The payload or callable data that the entry point is given.
    incoming: Option<Root>,
    /// The hit attributes.
    attributes: Option<Root>,
    /// A copy of the attributes, in a shader that writes to them.
    own_attributes: Option<Root>,
    /// The variables that calls pass, by storage class and layout.
    outgoing: Vec<Root>,
    /// Variables of the current function that are passed to calls.
    handed_over: FxHashSet<InstId>,
    /// The current function writes to its hit attributes.
    writes_attributes: bool,
}

impl RayData {
    /// Returns true if a variable of the function is passed to a call: then it has the words of the
    /// data, and can be copied as a whole.
    pub(super) fn is_handed_over(&self, alloca: InstId) -> bool {
        self.handed_over.contains(&alloca)
    }
}

/// Returns the layout of data in words.
pub(super) fn as_words(layout: Layout) -> Layout {
    Layout {
        slot: layout.slot.min(4),
        scalar: None,
        ..layout
    }
}

/// Returns the operand of an operation that points to data which comes back.
fn data_operand(op: Dx) -> Option<usize> {
    match op {
        Dx::TraceRay | Dx::HitObjectTraceRay => Some(PAYLOAD),
        Dx::CallShader | Dx::HitObjectInvoke | Dx::HitObjectAttributes => Some(PARAMETER),
        _ => None,
    }
}

/// Begins a new function: finds the data that it passes to calls.
pub(super) fn enter_function(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
) -> Result<(), Error> {
    memory.ray_data.handed_over.clear();
    memory.ray_data.writes_attributes = false;
    if !crate::stage::is_ray_tracing(e.entry.kind) {
        return Ok(());
    }
    let FunctionContext {
        module, function, ..
    } = e.context;
    for (id, inst) in function.insts.iter() {
        let (pointer, handed_over) = match inst.kind {
            InstKind::Store { ptr, .. } => (Some(ptr), false),
            InstKind::Call { .. } => {
                let call = e.parse(id)?;
                (
                    call.and_then(|call| call.operand(data_operand(call.op)?)),
                    true,
                )
            }
            _ => continue,
        };
        // An address that cannot be resolved is reported where it is emitted.
        let Some(Ok(address)) = pointer.map(|p| resolve(module, &mut memory.layouts, function, p))
        else {
            continue;
        };
        match address.base {
            Base::Alloca(alloca) if handed_over => {
                memory.ray_data.handed_over.insert(alloca);
            }
            Base::Argument(1) => memory.ray_data.writes_attributes = true,
            _ => {}
        }
    }
    Ok(())
}

/// Begins a function's body: hit attributes cannot be written to, so a shader that does has a copy.
pub(crate) fn begin_body(e: &mut FunctionBuilder<'_>, memory: &mut Memory) -> Result<(), Error> {
    if !memory.ray_data.writes_attributes || !e.is_ray_entry() {
        return Ok(());
    }
    let Some(ty) = e.parameter_type(1) else {
        return Ok(());
    };
    let variable = memory.attributes(e, ty)?;
    let mut layout = memory.layout(e, ty)?;
    if !variable.vector {
        layout = as_words(layout);
    }
    let own = memory.new_root(e, layout, (StorageClass::Function, 1), false, None)?;
    copy_data(e, &start_of(variable), &start_of(own), variable.count)?;
    memory.ray_data.own_attributes = Some(own);
    Ok(())
}

/// Returns the location of a variable's first number.
fn start_of(root: Root) -> StorageLocation {
    StorageLocation {
        root,
        index: Index::Constant(0),
    }
}

/// Data of a call in the variable that the call takes.
pub(crate) struct Handed {
    /// The variable.
    pub(crate) variable: Word,
    /// Destination and source of the copy after the call: the caller's location and the variable.
    /// `None` if the caller's own variable is passed.
    back: Option<(StorageLocation, Root)>,
}

impl Memory {
    /// Returns the variable that a parameter of the entry point refers to.
    pub(super) fn argument_root(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: u32,
    ) -> Result<Root, Error> {
        let ty = e.parameter_type(index).filter(|_| e.is_ray_entry());
        match (e.entry.kind, index, ty) {
            (ShaderKind::Miss | ShaderKind::AnyHit | ShaderKind::ClosestHit, 0, Some(ty)) => {
                self.incoming(e, ty, StorageClass::IncomingRayPayloadKHR)
            }
            (ShaderKind::Callable, 0, Some(ty)) => {
                self.incoming(e, ty, StorageClass::IncomingCallableDataKHR)
            }
            (ShaderKind::AnyHit | ShaderKind::ClosestHit, 1, Some(ty)) => {
                match self.ray_data.own_attributes {
                    Some(own) => Ok(own),
                    None => self.attributes(e, ty),
                }
            }
            _ => Err(e.unsupported(PointerFeature::NotAVariable)),
        }
    }

    fn incoming(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        ty: TypeId,
        class: StorageClass,
    ) -> Result<Root, Error> {
        if let Some(root) = self.ray_data.incoming {
            return Ok(root);
        }
        let layout = as_words(self.layout(e, ty)?);
        let root = self.new_root(e, layout, (class, 1), false, None)?;
        let name = match class {
            StorageClass::IncomingRayPayloadKHR => "in.payload",
            _ => "in.callable",
        };
        e.b.name(root.id, name);
        self.ray_data.incoming = Some(root);
        Ok(root)
    }

    /// Returns the variable of the hit attributes; there is one in a module.
    fn attributes(&mut self, e: &mut FunctionBuilder<'_>, ty: TypeId) -> Result<Root, Error> {
        let layout = self.layout(e, ty)?;
        let floats = is_two_floats(e, layout);
        let words = as_words(layout);
        if let Some(root) = self.ray_data.attributes {
            let same = root.vector == floats
                && root.bytes * u64::from(root.count) == layout.size
                && (floats || root.bytes == words.slot);
            return if same {
                Ok(root)
            } else {
                Err(e.unsupported(MemoryFeature::HitAttributes))
            };
        }
        let root = if floats {
            two_floats(e, StorageClass::HitAttributeKHR)
        } else {
            self.new_root(e, words, (StorageClass::HitAttributeKHR, 1), false, None)?
        };
        e.b.name(root.id, "attributes");
        self.ray_data.attributes = Some(root);
        Ok(root)
    }

    /// Returns the variable in which calls pass data of a type.
    fn outgoing(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        ty: TypeId,
        class: StorageClass,
    ) -> Result<Root, Error> {
        let layout = self.layout(e, ty)?;
        // The barycentrics of triangles have this form.
        let vector = is_object_attribute(class) && is_two_floats(e, layout);
        let layout = as_words(layout);
        let fits = |root: &&Root| {
            root.class == class
                && root.vector == vector
                && root.bytes == layout.slot
                && root.bytes * u64::from(root.count) == layout.size
        };
        if let Some(&root) = self.ray_data.outgoing.iter().find(fits) {
            return Ok(root);
        }
        let location = self
            .ray_data
            .outgoing
            .iter()
            .filter(|root| root.class == class)
            .count() as u32;
        let root = if vector {
            two_floats(e, class)
        } else {
            self.new_root(e, layout, (class, 1), false, None)?
        };
        Ok(self.add_outgoing(e, root, location))
    }

    /// Returns the variable of a hit object's attributes that are the barycentrics of a triangle.
    pub(crate) fn object_barycentrics(&mut self, e: &mut FunctionBuilder<'_>) -> Word {
        let class = StorageClass::HitObjectAttributeEXT;
        let known = self.ray_data.outgoing.iter().filter(|r| r.class == class);
        let location = known.clone().count() as u32;
        if let Some(root) = known.clone().find(|root| root.vector) {
            return root.id;
        }
        let root = two_floats(e, class);
        self.add_outgoing(e, root, location).id
    }

    fn add_outgoing(&mut self, e: &mut FunctionBuilder<'_>, root: Root, location: u32) -> Root {
        let class = root.class;
        e.b.decorate(root.id, Decoration::Location, &[location]);
        let name = match class {
            StorageClass::RayPayloadKHR => "payload",
            class if is_object_attribute(class) => "object.attributes",
            _ => "callable",
        };
        e.b.name(root.id, name);
        self.ray_data.outgoing.push(root);
        root
    }
}

/// Returns true for the storage classes of hit objects' attributes.
fn is_object_attribute(class: StorageClass) -> bool {
    matches!(
        class,
        StorageClass::HitObjectAttributeEXT | StorageClass::HitObjectAttributeNV
    )
}

fn is_two_floats(e: &FunctionBuilder<'_>, layout: Layout) -> bool {
    let is_float = |s| matches!(e.module.ty(s), Type::Float);
    layout.size == 8 && layout.scalar.is_some_and(is_float)
}

/// Declares a variable of two floats.
fn two_floats(e: &mut FunctionBuilder<'_>, class: StorageClass) -> Root {
    let pair = e.b.ty_floats(2);
    Root {
        id: e.b.variable(class, pair, None),
        class,
        slot: Scalar::Float(32),
        bytes: 4,
        count: 2,
        vector: true,
        lanes: 1,
    }
}

impl Memory {
    /// Returns where operand `index` of a call points to, and the type there.
    fn data(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: usize,
    ) -> Result<(StorageLocation, TypeId), Error> {
        let pointer = e.arg_value(index)?;
        let Some(ty) = e.pointee_of(e.value_type(pointer)?) else {
            let detail = format!("operand {index} of {} must be a pointer", e.call.op.name());
            return Err(e.invalid(InvalidKind::Operand, detail));
        };
        Ok((self.storage_location(e, pointer)?, ty))
    }

    /// Puts the data that operand `index` of a call points to where the call takes it.
    pub(crate) fn hand_over(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: usize,
        class: StorageClass,
    ) -> Result<Handed, Error> {
        let (location, ty) = self.data(e, index)?;
        let size = self.layout(e, ty)?.size;
        let incoming = if class == StorageClass::RayPayloadKHR {
            StorageClass::IncomingRayPayloadKHR
        } else {
            StorageClass::IncomingCallableDataKHR
        };
        let whole = location.index == Index::Constant(0)
            && location.root.bytes * u64::from(location.root.count) == size;
        if whole && location.root.class == incoming {
            return Ok(Handed {
                variable: location.root.id,
                back: None,
            });
        }
        let root = self.outgoing(e, ty, class)?;
        copy_data(e, &location, &start_of(root), root.count)?;
        Ok(Handed {
            variable: root.id,
            back: Some((location, root)),
        })
    }
}

/// Copies the data back after a call.
pub(crate) fn take_back(e: &mut FunctionBuilder<'_>, handed: &Handed) -> Result<(), Error> {
    match &handed.back {
        Some((location, root)) => copy_data(e, &start_of(*root), location, root.count),
        None => Ok(()),
    }
}

impl Memory {
    /// Copies the data that operand `index` of a call points to into the hit attributes.
    pub(crate) fn set_attributes(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: usize,
    ) -> Result<(), Error> {
        let (location, ty) = self.data(e, index)?;
        let root = self.attributes(e, ty)?;
        copy_data(e, &location, &start_of(root), root.count)
    }

    /// Copies the data that operand `index` of a call points to into a variable of a hit object's
    /// attributes; returns the variable.
    pub(crate) fn set_object_attributes(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: usize,
    ) -> Result<Word, Error> {
        let (location, ty) = self.data(e, index)?;
        let root = self.outgoing(e, ty, StorageClass::HitObjectAttributeNV)?;
        copy_data(e, &location, &start_of(root), root.count)?;
        Ok(root.id)
    }

    /// Returns a variable of a storage class of hit objects' attributes, for the data that operand
    /// `index` of a call points to; after the call the attributes are copied there ([`take_back`]).
    pub(crate) fn object_attributes(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        index: usize,
        class: StorageClass,
    ) -> Result<Handed, Error> {
        let (location, ty) = self.data(e, index)?;
        let root = self.outgoing(e, ty, class)?;
        let back = Some((location, root));
        Ok(Handed {
            variable: root.id,
            back,
        })
    }
}

/// Copies `count` numbers.
fn copy_data(
    e: &mut FunctionBuilder<'_>,
    from: &StorageLocation,
    to: &StorageLocation,
    count: u32,
) -> Result<(), Error> {
    let whole = |location: &StorageLocation| {
        location.index == Index::Constant(0) && location.root.count == count
    };
    let (a, b) = (from.root, to.root);
    if a.slot == b.slot && (a.vector, a.lanes) == (b.vector, b.lanes) && whole(from) && whole(to) {
        e.b.op_void(Op::CopyMemory, &[b.id, a.id]);
        return Ok(());
    }
    if a.slot.width() != b.slot.width() || a.bytes != b.bytes {
        return Err(e.unsupported(MemoryFeature::NarrowRayData));
    }
    if count > MAX_COPIES {
        return Err(e.unsupported(Limit::RayDataCopy { most: MAX_COPIES }));
    }
    if !inside(from, count) || !inside(to, count) {
        return Err(e.invalid(InvalidKind::Memory, "ray data outside of its variable"));
    }
    let (from_ty, to_ty) = (e.scalar_type(a.slot), e.scalar_type(b.slot));
    for index in 0..count {
        let pointer = slot_pointer(e, from, index);
        let mut id = e.load(from_ty, pointer);
        if a.slot != b.slot {
            id = e.b.bitcast(to_ty, id);
        }
        let pointer = slot_pointer(e, to, index);
        e.b.op_void(Op::Store, &[pointer, id]);
    }
    Ok(())
}
