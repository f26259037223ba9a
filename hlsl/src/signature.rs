//! Inputs and outputs of an entry point as structures with semantics.

use trellis_dxil_frontend::shader::{
    InterpolationMode, SemanticKind, ShaderKind, SignatureElement, WaveSize,
};

use crate::Printer;
use crate::names::identifier;
use crate::types::{Scalar, UINT};

/// A member of the input or output.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Number of the element.
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) ty: Scalar,
    pub(crate) rows: u32,
    pub(crate) columns: u32,
}

impl Printer<'_> {
    /// Declares the structures of the signatures.
    pub(crate) fn signatures(&mut self) -> String {
        let kind = self.entry.kind;
        if !matches!(
            kind,
            ShaderKind::Vertex | ShaderKind::Pixel | ShaderKind::Compute
        ) {
            self.note(&format!("a {} shader", kind.name()));
        }
        let mut text = String::new();
        let signatures = &self.entry.signatures;
        for (name, elements, is_input) in [
            ("Input", &signatures.input, true),
            ("Output", &signatures.output, false),
        ] {
            if elements.is_empty() {
                continue;
            }
            text.push_str(&format!("struct {name} {{\n"));
            let mut fields: Vec<Field> = Vec::new();
            for element in elements {
                let field = self.field(element, &fields);
                let index = element.indices.first().copied().unwrap_or(0);
                let semantic = match element.semantic {
                    SemanticKind::Arbitrary
                    | SemanticKind::Target
                    | SemanticKind::ClipDistance
                    | SemanticKind::CullDistance => {
                        format!("{}{index}", element.name)
                    }
                    _ => element.name.to_string(),
                };
                let rows = if field.rows > 1 {
                    format!("[{}]", field.rows)
                } else {
                    String::new()
                };
                let interpolation = match kind {
                    ShaderKind::Pixel if is_input => interpolation(element),
                    _ => "",
                };
                text.push_str(&format!(
                    "    {interpolation}{} {}{rows} : {semantic};\n",
                    field.ty.vector_name(field.columns),
                    field.name
                ));
                fields.push(field);
            }
            text.push_str("};\n");
            if is_input {
                self.inputs = fields;
            } else {
                self.outputs = fields;
            }
        }
        text
    }

    fn field(&self, element: &SignatureElement, others: &[Field]) -> Field {
        let short = element.name.strip_prefix("SV_").unwrap_or(&element.name);
        let mut base = identifier(&short.to_ascii_lowercase());
        if matches!(
            element.semantic,
            SemanticKind::Arbitrary | SemanticKind::Target
        ) {
            base.push_str(&element.indices.first().copied().unwrap_or(0).to_string());
        }
        let mut name = crate::names::Names::new().add(&base);
        while others.iter().any(|other| other.name == name) {
            name.push('_');
        }
        let mut ty = Scalar::of_component(element.ty);
        if !self.shader.native_low_precision {
            ty = ty.without_native();
        }
        match element.semantic {
            SemanticKind::IsFrontFace => ty = Scalar::Bool,
            SemanticKind::VertexID | SemanticKind::InstanceID | SemanticKind::PrimitiveID => {
                ty = UINT;
            }
            _ => {}
        }
        Field {
            id: element.id,
            name,
            ty,
            rows: element.rows,
            columns: u32::from(element.cols),
        }
    }
}

fn interpolation(element: &SignatureElement) -> &'static str {
    match element.interpolation {
        InterpolationMode::Constant if element.semantic == SemanticKind::Arbitrary => {
            "nointerpolation "
        }
        InterpolationMode::LinearCentroid => "centroid ",
        InterpolationMode::LinearNoperspective => "noperspective ",
        InterpolationMode::LinearNoperspectiveCentroid => "noperspective centroid ",
        InterpolationMode::LinearSample => "sample ",
        InterpolationMode::LinearNoperspectiveSample => "noperspective sample ",
        _ => "",
    }
}

/// Returns the attribute of a wave size.
pub(crate) fn wave_size(size: &WaveSize) -> String {
    match (size.maximum, size.preferred) {
        (maximum, _) if maximum == 0 || maximum == size.minimum => {
            format!("[WaveSize({})]\n", size.minimum)
        }
        (maximum, 0) => format!("[WaveSize({}, {maximum})]\n", size.minimum),
        (maximum, preferred) => format!("[WaveSize({}, {maximum}, {preferred})]\n", size.minimum),
    }
}
