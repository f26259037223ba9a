//! Signatures of the stages of the graphics pipeline: their elements, laid out as words.
//!
//! A vertex (or patch, primitive, pixel) has one word per component of each row of each element, the
//! value's bits as in a slot.

use trellis_dxil_frontend::shader::{
    ComponentType, InterpolationMode, SemanticKind, SignatureElement,
};

use crate::error::Error;
use crate::half;
use crate::scalar::Scalar;

/// A signature with the words of its elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    pub(crate) elements: Vec<Element>,
    /// Words of a vertex.
    pub(crate) words: usize,
}

/// An element of a signature.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) semantic: SemanticKind,
    pub(crate) ty: Scalar,
    /// An integer with a sign.
    pub(crate) is_signed: bool,
    pub(crate) mode: InterpolationMode,
    /// Semantic index of each row.
    pub(crate) indices: Vec<u32>,
    pub(crate) columns: usize,
    pub(crate) stream: u8,
    /// Word of the first component of the first row.
    first: usize,
}

impl Signature {
    pub(crate) fn new(elements: &[SignatureElement], native16: bool) -> Self {
        let mut words = 0;
        let mut list = Vec::with_capacity(elements.len());
        for element in elements {
            let first = words;
            words += element.rows as usize * usize::from(element.cols);
            // A row without an index has the one after the last row's.
            let mut indices: Vec<u32> = element.indices.iter().copied().collect();
            while indices.len() < element.rows as usize {
                indices.push(indices.last().map_or(0, |last| last.wrapping_add(1)));
            }
            indices.truncate(element.rows as usize);
            list.push(Element {
                id: element.id,
                name: element.name.to_string(),
                semantic: element.semantic,
                ty: scalar(element.ty, native16),
                is_signed: matches!(element.ty, ComponentType::I16 | ComponentType::I32),
                mode: element.interpolation,
                indices,
                columns: usize::from(element.cols),
                stream: element.stream,
                first,
            });
        }
        Self {
            elements: list,
            words,
        }
    }

    /// Returns the elements of two signatures whose words follow each other.
    pub(crate) fn both(first: &Self, second: &Self) -> Self {
        let moved = second.elements.iter().map(|element| Element {
            first: first.words + element.first,
            ..element.clone()
        });
        Self {
            elements: first.elements.iter().cloned().chain(moved).collect(),
            words: first.words + second.words,
        }
    }

    /// Returns the position of the element with a number.
    pub(crate) fn position(&self, id: u32) -> Option<usize> {
        self.elements.iter().position(|element| element.id == id)
    }

    /// Returns an element and the word of one of its components.
    pub(crate) fn at(&self, position: u64, row: u64, column: u64) -> Option<(&Element, usize)> {
        let element = self.elements.get(position as usize)?;
        let (row, column) = (row as u32 as usize, column as u8 as usize);
        let inside = row < element.indices.len() && column < element.columns;
        inside.then(|| (element, element.word(row) + column))
    }

    /// Returns the element and row with a semantic.
    pub(crate) fn find(&self, name: &str, index: u32, stream: u8) -> Option<(&Element, usize)> {
        self.elements.iter().find_map(|element| {
            let row = element.indices.iter().position(|&other| other == index)?;
            let same = element.name.eq_ignore_ascii_case(name) && element.stream == stream;
            same.then_some((element, row))
        })
    }

    /// Returns the element and word of a clip or cull distance by its number: all of one kind are
    /// an array.
    pub(crate) fn distances(&self, name: &str, number: u32) -> Option<(&Element, usize)> {
        let kinds = [
            ("SV_ClipDistance", SemanticKind::ClipDistance),
            ("SV_CullDistance", SemanticKind::CullDistance),
        ];
        let (_, kind) = kinds
            .into_iter()
            .find(|(of, _)| of.eq_ignore_ascii_case(name))?;
        self.with(kind)
            .flat_map(Element::words)
            .nth(number as usize)
    }

    /// Returns the elements with a meaning.
    pub(crate) fn with(&self, semantic: SemanticKind) -> impl Iterator<Item = &Element> {
        let elements = self.elements.iter();
        elements.filter(move |element| element.semantic == semantic)
    }
}

impl Element {
    /// Returns a component with 32 bits.
    pub(crate) fn widened(&self, value: u64) -> u32 {
        match self.ty {
            Scalar::F16 => half::to_f32(value as u16).to_bits(),
            Scalar::I16 if self.is_signed => self.ty.signed(value) as u32,
            _ => value as u32,
        }
    }

    /// Returns all words, each with the element.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&Self, usize)> {
        let words = self.first..self.first + self.indices.len() * self.columns;
        words.map(move |word| (self, word))
    }

    /// Returns the error for a word that no stage writes and the draw does not give.
    pub(crate) fn missing(&self, word: usize) -> Error {
        let row = (word - self.first) / self.columns;
        Error::NoInput {
            semantic: self.name.clone(),
            index: self.indices.get(row).copied().unwrap_or(0),
        }
    }

    /// Returns the word of the first component of a row.
    pub(crate) fn word(&self, row: usize) -> usize {
        self.first + row * self.columns
    }
}

/// Returns whether an input with this mode makes a pixel shader run for each sample.
pub(crate) fn is_per_sample(mode: InterpolationMode) -> bool {
    matches!(
        mode,
        InterpolationMode::LinearSample | InterpolationMode::LinearNoperspectiveSample
    )
}

/// Returns the type of a component as a value: minimum-precision floats are `f32`.
fn scalar(ty: ComponentType, native16: bool) -> Scalar {
    use ComponentType as C;
    match ty {
        C::F16 | C::SNormF16 | C::UNormF16 if native16 => Scalar::F16,
        C::F16 | C::SNormF16 | C::UNormF16 | C::F32 | C::SNormF32 | C::UNormF32 => Scalar::F32,
        C::I16 | C::U16 => Scalar::I16,
        C::I64 | C::U64 => Scalar::I64,
        C::F64 | C::SNormF64 | C::UNormF64 => Scalar::F64,
        C::Invalid | C::I1 | C::I32 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => Scalar::I32,
    }
}
