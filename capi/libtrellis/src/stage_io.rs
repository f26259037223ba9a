//! The callbacks about inputs and outputs, as a model.

use trellis_dxil::stage_io::{
    ElementKind, ElementPart, ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput,
    StreamOutputQuery,
};

use crate::abi::{self, Capture, ElementFunction, Signature, Stage, StageIo};
use crate::answer::{Checked, Userdata, answered, reserved, truth};
use crate::bindings::REFUSED;
use crate::text::Text;

/// The callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callbacks {
    pub(crate) functions: StageIo,
    pub(crate) userdata: Userdata,
}

type Result<T> = std::result::Result<T, StageIoError>;

/// The most captures of an element: the rows and components that D3D's signatures have.
const MAX_CAPTURES: usize = 32 * 4;

fn signature(kind: ElementKind) -> Signature {
    match kind {
        ElementKind::Input => abi::TRELLIS_SIGNATURE_INPUT,
        ElementKind::Output => abi::TRELLIS_SIGNATURE_OUTPUT,
        ElementKind::PatchConstant => abi::TRELLIS_SIGNATURE_PATCH_CONSTANT,
        ElementKind::Primitive => abi::TRELLIS_SIGNATURE_PRIMITIVE,
        _ => abi::TRELLIS_UNKNOWN,
    }
}

impl Callbacks {
    /// Asks where an element is.
    fn ask(&self, callback: ElementFunction, query: &ElementQuery<'_>) -> Result<ElementPlace> {
        let Some(callback) = callback else {
            return Ok(query.default);
        };
        let semantic = Text::new(query.semantic);
        let question = abi::ElementQuery {
            size: size_of::<abi::ElementQuery>(),
            semantic: semantic.as_ptr(),
            semantic_length: semantic.len(),
            semantic_index: query.index,
            stage: query.stage as Stage,
            signature: signature(query.kind),
            system_value: query.system_value as u32,
            start_row: query.start_row,
            rows: query.rows,
            columns: query.columns,
            stream: query.stream,
        };
        let mut place = abi::ElementPlace {
            location: query.default.location,
            component: query.default.component,
            per_primitive: query.default.per_primitive.into(),
            reserved: 0,
        };
        // SAFETY: who set the callback promises that it can be called with its data, a question and an
        // answer, as long as options with it are used.
        let done = unsafe { callback(self.userdata.0, &raw const question, &raw mut place) };
        let check = || {
            reserved(&[place.reserved])?;
            let per_primitive = truth("per_primitive", place.per_primitive)?;
            let at = ElementPlace::new(place.location, place.component);
            Ok(at.with_per_primitive(per_primitive))
        };
        if !answered(done).map_err(StageIoError::model)? {
            return Err(StageIoError::model(REFUSED));
        }
        let checked: Checked<_> = check();
        checked.map_err(StageIoError::model)
    }
}

fn captured(capture: &Capture) -> Checked<StreamOutput> {
    reserved(&capture.reserved)?;
    let whole = StreamOutput::new(capture.buffer, capture.stride, capture.offset);
    Ok(match capture.components {
        0 => whole,
        count => whole.with_part(ElementPart::new(capture.row, capture.component, count)),
    })
}

impl StageIoModel for Callbacks {
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32> {
        Ok(self.ask(self.functions.vertex_input, query)?.location)
    }

    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace> {
        self.ask(self.functions.input, query)
    }

    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace> {
        self.ask(self.functions.output, query)
    }

    fn stream_output(&self, query: &StreamOutputQuery<'_>) -> Result<Vec<StreamOutput>> {
        let Some(callback) = self.functions.capture else {
            return Ok(Vec::new());
        };
        let semantic = Text::new(query.semantic);
        let question = abi::ElementQuery {
            size: size_of::<abi::ElementQuery>(),
            semantic: semantic.as_ptr(),
            semantic_length: semantic.len(),
            semantic_index: query.index,
            stage: query.stage as Stage,
            signature: abi::TRELLIS_SIGNATURE_OUTPUT,
            system_value: query.system_value as u32,
            start_row: abi::TRELLIS_UNKNOWN,
            rows: query.rows,
            columns: query.columns,
            stream: query.stream,
        };
        let mut captures = [Capture::default(); MAX_CAPTURES];
        let mut count = 0;
        // SAFETY: as above; `captures` has `captures.len()` elements.
        let done = unsafe {
            callback(
                self.userdata.0,
                &raw const question,
                captures.as_mut_ptr(),
                captures.len(),
                &raw mut count,
            )
        };
        if !answered(done).map_err(StageIoError::model)? {
            return Err(StageIoError::model(REFUSED));
        }
        let captures = captures.get(..count).ok_or_else(|| {
            StageIoError::model(format!(
                "the callback answered {count} captures, of at most {MAX_CAPTURES}"
            ))
        })?;
        let captures: Checked<Vec<_>> = captures.iter().map(captured).collect();
        captures.map_err(StageIoError::model)
    }
}
