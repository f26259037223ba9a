//! The callbacks about resources, as a binding model.

use trellis_dxil::bindings::{
    Binding, BindingError, BindingModel, HeapPlace, HeapQuery, ResourceQuery,
};

use crate::abi::{self, BindFunction, Class, HeapFunction, Kind, Stage};
use crate::answer::{self, Userdata, answered};
use crate::text::Text;

/// The callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callbacks {
    pub(crate) bind: BindFunction,
    pub(crate) heap: HeapFunction,
    pub(crate) userdata: Userdata,
}

/// Why there is no place.
pub(crate) const REFUSED: &str = "the callback has no place for it";

impl BindingModel for Callbacks {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let Some(bind) = self.bind else {
            return Err(BindingError::model("there is no callback for resources"));
        };
        let name = Text::new(query.name);
        let question = abi::ResourceQuery {
            size: size_of::<abi::ResourceQuery>(),
            name: name.as_ptr(),
            name_length: name.len(),
            stage: query.stage as Stage,
            resource_class: query.class as Class,
            resource_kind: query.kind as Kind,
            register_space: query.space,
            register_index: query.register,
            range_size: query.range_size,
            resource_index: query.resource_index,
            alignment: query.alignment,
            stride: query.stride,
            has_counter: query.has_counter.into(),
        };
        let mut binding = abi::Binding::default();
        // SAFETY: who set the callback promises that it can be called with its data, a question and an
        // answer, as long as options with it are used.
        let done = unsafe { bind(self.userdata.0, &raw const question, &raw mut binding) };
        if !answered(done).map_err(BindingError::model)? {
            return Err(BindingError::model(REFUSED));
        }
        let binding = answer::binding(&binding).map_err(BindingError::model)?;
        binding.ok_or_else(|| BindingError::model("the callback's answer is nowhere"))
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let Some(heap) = self.heap else {
            return Err(BindingError::model("there is no callback for heaps"));
        };
        let question = abi::HeapQuery {
            size: size_of::<abi::HeapQuery>(),
            stage: query.stage as Stage,
            resource_class: query.class as Class,
            resource_kind: query.kind as Kind,
            alignment: query.alignment,
            stride: query.stride,
            counter: query.counter.into(),
        };
        let mut place = abi::HeapPlace::default();
        // SAFETY: as above.
        let done = unsafe { heap(self.userdata.0, &raw const question, &raw mut place) };
        if !answered(done).map_err(BindingError::model)? {
            return Err(BindingError::model(REFUSED));
        }
        answer::heap_place(&place).map_err(BindingError::model)
    }
}
