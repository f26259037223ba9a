//! The remappers: callbacks that return the locations of resources, as a binding model.

mod answer;
mod interface;

use std::ffi::c_void;

use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind, Shader, ShaderKind, UNBOUNDED};
use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, HeapBinding, HeapPlace, HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::stage_io::StageIoError;

pub(crate) use interface::InterfaceRemappers;

use crate::abi::{
    self, Bool, CbvPlace, CbvVulkanBinding, D3dBinding, SrvVulkanBinding, UavD3dBinding,
    UavVulkanBinding, VulkanBinding, descriptor_type,
};
use crate::failure;
use crate::local_root::{LocalPlace, LocalRoot};
use crate::log;
use crate::settings::PlaceSettings;
use crate::stage::{kind_number, stage_number};

/// A callback and its data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback<F> {
    pub(crate) call: Option<F>,
    pub(crate) userdata: *mut c_void,
}

impl<F> Callback<F> {
    /// Replaces the callback.
    pub(crate) fn set(&mut self, call: Option<F>, userdata: *mut c_void) -> failure::Result<()> {
        *self = Self { call, userdata };
        Ok(())
    }
}

impl<F> Default for Callback<F> {
    fn default() -> Self {
        Self {
            call: None,
            userdata: std::ptr::null_mut(),
        }
    }
}

// SAFETY: the data is not used here but given to the callback, which is called only by functions that
// the client calls, on its own thread.
unsafe impl<F: Send> Send for Callback<F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for Callback<F> {}

type Remapper<Q, A> = unsafe extern "C" fn(*mut c_void, *const Q, *mut A) -> Bool;

impl<Q, A> Callback<Remapper<Q, A>> {
    /// Calls the callback; `None` without one.
    fn ask(&self, query: &Q, mut answer: A) -> Result<Option<A>, Refused> {
        let Some(call) = self.call else {
            return Ok(None);
        };
        // SAFETY: who set the callback promises that it can be called with its data, a question and
        // an answer until the converter is freed or has another one.
        let found = unsafe { call(self.userdata, query, &raw mut answer) };
        (found == abi::TRUE).then_some(Some(answer)).ok_or(Refused)
    }
}

/// A callback has no answer.
struct Refused;

/// Why there is no place.
const REFUSED: &str = "the remapper has no place for it";

impl From<Refused> for BindingError {
    fn from(_: Refused) -> Self {
        Self::model(REFUSED)
    }
}

impl From<Refused> for StageIoError {
    fn from(_: Refused) -> Self {
        Self::model(REFUSED)
    }
}

/// The remappers of resources.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remappers {
    pub(crate) srv: Callback<Remapper<D3dBinding, SrvVulkanBinding>>,
    pub(crate) sampler: Callback<Remapper<D3dBinding, VulkanBinding>>,
    pub(crate) uav: Callback<Remapper<UavD3dBinding, UavVulkanBinding>>,
    pub(crate) cbv: Callback<Remapper<D3dBinding, CbvVulkanBinding>>,
}

/// A place that a remapper may answer.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Srv(SrvVulkanBinding),
    Sampler(VulkanBinding),
    Uav(UavVulkanBinding),
    Cbv(VulkanBinding),
    /// Root constants.
    Constants {
        offset: u32,
    },
}

impl Remappers {
    /// Asks where a range is. Without a remapper, set and binding are space and register.
    fn ask(
        &self,
        class: ResourceClass,
        d3d: D3dBinding,
        counter: bool,
    ) -> Result<Answer, BindingError> {
        let plain = VulkanBinding {
            set: d3d.register_space,
            binding: d3d.register_index,
            ..VulkanBinding::default()
        };
        Ok(match class {
            ResourceClass::Srv => {
                let answer = self.srv.ask(&d3d, SrvVulkanBinding::default())?;
                Answer::Srv(answer.unwrap_or(SrvVulkanBinding {
                    buffer_binding: plain,
                    ..SrvVulkanBinding::default()
                }))
            }
            ResourceClass::Uav => {
                let query = UavD3dBinding {
                    d3d_binding: d3d,
                    has_counter: counter.into(),
                };
                let answer = self.uav.ask(&query, UavVulkanBinding::default())?;
                Answer::Uav(answer.unwrap_or(UavVulkanBinding {
                    buffer_binding: plain,
                    counter_binding: VulkanBinding {
                        set: plain.set.wrapping_add(1),
                        ..plain
                    },
                    ..UavVulkanBinding::default()
                }))
            }
            ResourceClass::CBuffer => {
                let uniform_binding = VulkanBinding::default();
                let empty = CbvVulkanBinding {
                    vulkan: CbvPlace { uniform_binding },
                    push_constant: abi::FALSE,
                };
                match self.cbv.ask(&d3d, empty)? {
                    None => Answer::Cbv(plain),
                    Some(answer) if answer.push_constant != abi::FALSE => Answer::Constants {
                        // SAFETY: both members are integers, and were set before the question.
                        offset: unsafe { answer.vulkan.push_constant }.offset_in_words,
                    },
                    // SAFETY: as above.
                    Some(answer) => Answer::Cbv(unsafe { answer.vulkan.uniform_binding }),
                }
            }
            ResourceClass::Sampler => {
                let answer = self.sampler.ask(&d3d, VulkanBinding::default())?;
                Answer::Sampler(answer.unwrap_or(plain))
            }
        })
    }

    /// Asks about each range that a shader declares, until a remapper refuses one.
    pub(crate) fn scan(&self, shader: &Shader) {
        let first = shader.shaders().next();
        let stage = first.map_or(shader.kind, |entry| entry.kind);
        // The order of DXIL's metadata.
        use ResourceClass as C;
        for class in [C::Srv, C::Uav, C::CBuffer, C::Sampler] {
            for resource in shader.resources.iter().filter(|r| r.class == class) {
                let d3d = D3dBinding {
                    stage: stage_number(stage),
                    kind: kind_number(asked_kind(resource.kind, resource.has_status)),
                    resource_index: resource.id,
                    register_space: resource.space,
                    register_index: resource.lower_bound,
                    range_size: resource.range_size,
                    alignment: 0,
                };
                if self.ask(class, d3d, resource.has_counter).is_err() {
                    return;
                }
            }
        }
    }

    /// Asks where the addresses of the heap of resources are, as the reference does: as for
    /// acceleration structures of the heap.
    pub(crate) fn heap_addresses(&self, stage: ShaderKind) -> Result<HeapBinding, BindingError> {
        let d3d = heap_question(stage, ResourceKind::RTAccelerationStructure, 0);
        match self.ask(ResourceClass::Srv, d3d, false)? {
            Answer::Srv(SrvVulkanBinding {
                buffer_binding: at, ..
            }) if [descriptor_type::SSBO, descriptor_type::IDENTITY]
                .contains(&at.descriptor_type) =>
            {
                Ok(HeapBinding {
                    set: at.set,
                    binding: at.binding,
                })
            }
            _ => Err(BindingError::model(
                "the addresses of a heap must be in a storage buffer",
            )),
        }
    }
}

/// The binding model of one conversion.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) remappers: Remappers,
    pub(crate) places: PlaceSettings,
    pub(crate) local: LocalRoot,
}

/// Space of the UAV that AGS's intrinsics are encoded with.
const AGS_SPACE: u32 = 0x7FFF_0ADE;

/// Returns the extension of D3D whose intrinsics a UAV encodes: accesses to it encode other
/// operations. `nvapi` is the register and space of NVAPI's.
fn intrinsics(
    kind: ResourceKind,
    (register, space): (u32, u32),
    nvapi: Option<(u32, u32)>,
) -> Option<&'static str> {
    match kind {
        ResourceKind::RawBuffer if space == AGS_SPACE => Some("AGS"),
        ResourceKind::StructuredBuffer if nvapi == Some((register, space)) => Some("NVAPI"),
        _ => None,
    }
}

/// Returns the kind that a remapper is asked about: a typed buffer where the residency status is used,
/// which a storage buffer does not have.
fn asked_kind(kind: ResourceKind, has_status: bool) -> ResourceKind {
    match has_status {
        true => ResourceKind::TypedBuffer,
        false => kind,
    }
}

/// The register and space that a remapper is asked about for the heaps of shader model 6.6.
const HEAP: u32 = u32::MAX;

fn heap_question(stage: ShaderKind, kind: ResourceKind, alignment: u32) -> D3dBinding {
    D3dBinding {
        stage: stage_number(stage),
        kind: kind_number(kind),
        resource_index: 0,
        register_space: HEAP,
        register_index: HEAP,
        range_size: UNBOUNDED,
        alignment,
    }
}

impl Model {
    fn local(&self, query: &ResourceQuery<'_>) -> Option<LocalPlace> {
        let class = class_number(query.class);
        self.local.find(class, query.space, query.register)
    }
}

impl BindingModel for Model {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        if (query.register, query.space) == (HEAP, HEAP) {
            // A remapper would take it for a heap.
            return Err(BindingError::model("it has no register"));
        }
        if query.class == ResourceClass::Uav
            && let Some(name) =
                intrinsics(query.kind, (query.register, query.space), self.places.nvapi)
        {
            return Err(BindingError::model(format!(
                "the UAV of intrinsics of {name} has no place"
            )));
        }
        let local = self.local(query);
        match local {
            Some(LocalPlace::Constants { offset, words }) => {
                let words = Some(words);
                return Ok(Binding::new(Place::ShaderRecord { offset, words }));
            }
            Some(LocalPlace::Descriptor { offset }) => {
                return Ok(Binding::new(Place::RecordAddress { offset }));
            }
            Some(LocalPlace::Table { .. }) | None => {}
        }
        let d3d = D3dBinding {
            stage: stage_number(query.stage),
            kind: kind_number(asked_kind(query.kind, query.has_status)),
            resource_index: query.resource_index,
            register_space: query.space,
            register_index: query.register,
            range_size: query.range_size,
            alignment: if query.has_status { 0 } else { query.alignment },
        };
        let answer = self.remappers.ask(query.class, d3d, query.has_counter)?;
        let context = answer::Context {
            class: query.class,
            kind: query.kind,
            alignment: query.alignment,
            places: &self.places,
            local,
        };
        Ok(match answer {
            Answer::Srv(srv) => context.buffer(srv.buffer_binding, srv.offset_binding)?,
            Answer::Uav(uav) => {
                let binding = context.buffer(uav.buffer_binding, uav.offset_binding)?;
                if !query.has_counter {
                    return Ok(binding);
                }
                match context.counter(uav.counter_binding) {
                    Ok(counter) => binding.with_counter(counter),
                    Err(error) => {
                        // It is an error of the conversion only if the shader uses it.
                        log::warn(format_args!(
                            "the counter of the UAV at register {}, space {}: {error}",
                            query.register, query.space
                        ));
                        binding
                    }
                }
            }
            Answer::Cbv(cbv) => Binding::new(context.constants(cbv)?),
            Answer::Sampler(sampler) => Binding::new(context.sampler(sampler)?),
            Answer::Constants { offset } => Binding::new(Place::RootConstants { offset }),
        })
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let d3d = heap_question(query.stage, query.kind, query.alignment);
        let answer = self.remappers.ask(query.class, d3d, query.counter)?;
        let context = answer::Context {
            class: query.class,
            kind: query.kind,
            alignment: query.alignment,
            places: &self.places,
            local: None,
        };
        match answer {
            Answer::Srv(srv) => context.heap(srv.buffer_binding, srv.offset_binding),
            Answer::Uav(uav) if query.counter => context.counter_heap(uav.counter_binding),
            Answer::Uav(uav) => context.heap(uav.buffer_binding, uav.offset_binding),
            Answer::Cbv(cbv) => context.heap(cbv, VulkanBinding::default()),
            Answer::Sampler(sampler) => context.heap(sampler, VulkanBinding::default()),
            Answer::Constants { .. } => Err(BindingError::model(
                "a heap of descriptors cannot be in root constants",
            )),
        }
    }
}

/// Returns the number of a class.
fn class_number(class: ResourceClass) -> abi::Class {
    match class {
        ResourceClass::Srv => abi::class::SRV,
        ResourceClass::Uav => abi::class::UAV,
        ResourceClass::CBuffer => abi::class::CBV,
        ResourceClass::Sampler => abi::class::SAMPLER,
    }
}

#[cfg(test)]
mod tests {
    use super::{AGS_SPACE, ResourceKind, intrinsics};

    #[test]
    fn intrinsics_are_recognized_by_their_buffer() {
        use ResourceKind::{RawBuffer, StructuredBuffer, TypedBuffer};
        let nvapi = Some((7, 3));
        assert_eq!(intrinsics(RawBuffer, (0, AGS_SPACE), None), Some("AGS"));
        assert_eq!(intrinsics(StructuredBuffer, (0, AGS_SPACE), nvapi), None);
        assert_eq!(intrinsics(StructuredBuffer, (7, 3), nvapi), Some("NVAPI"));
        assert_eq!(intrinsics(StructuredBuffer, (7, 3), None), None);
        assert_eq!(intrinsics(StructuredBuffer, (3, 7), nvapi), None);
        assert_eq!(intrinsics(TypedBuffer, (7, 3), nvapi), None);
    }
}
