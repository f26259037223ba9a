//! Debug information in the module: `NonSemantic.Shader.DebugInfo.100`.
//!
//! Its strings, constants and module-level instructions are separate sections, so that debug
//! information changes no word of the others but for the numbers of ids; it uses the module's
//! `void` and 32-bit integers, which all modules but empty ones have.
//!
//! The place of the code that is appended is set with [`Builder::set_place`]. `DebugScope` and
//! `DebugLine` precede the next instruction that is appended, so there are none for code that emits
//! no instruction, and none before a phi or between a merge instruction and its branch.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op, Word};
use rustc_hash::FxHashMap;

use super::Builder;
use super::code::Code;

/// Name of the instruction set.
pub(super) const SET: &str = "NonSemantic.Shader.DebugInfo.100";

/// Bytes of a text in one `OpString`: SPIR-V 1.6, section 2.17, limits strings to 65,535
/// characters.
pub(crate) const MAX_TEXT: usize = 65_000;

/// A place in the source; [`PlaceId::NONE`] for code without one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PlaceId(u32);

impl PlaceId {
    /// No place.
    pub(crate) const NONE: Self = Self(0);
    /// Another place than any.
    const UNKNOWN: Self = Self(u32::MAX);
}

/// Ids of the operands of `DebugScope` and `DebugLine`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// The scope.
    pub(crate) scope: Word,
    /// `DebugInlinedAt`, or 0.
    pub(crate) inlined_at: Word,
    /// `DebugSource`.
    pub(crate) source: Word,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The debug information of the module under construction.
#[derive(Default)]
pub(super) struct DebugSections {
    /// The import of the set.
    pub(super) set: Word,
    void: Word,
    word: Word,
    /// `OpString`s.
    pub(super) strings: Code,
    /// Constants that only debug information uses.
    pub(super) constants: Code,
    /// Instructions at module level.
    pub(super) instructions: Code,
    string_ids: FxHashMap<Box<str>, Word>,
    constant_ids: FxHashMap<(Word, u32), Word>,
    places: Vec<Place>,
    place_ids: FxHashMap<Place, PlaceId>,
    /// The scope that is in effect: ids of the scope and of where it is inlined.
    scope: (Word, Word),
    /// The line that is in effect: source, line and column.
    line: Option<(Word, u32, u32)>,
}

impl DebugSections {
    fn place(&self, id: PlaceId) -> Option<Place> {
        let index = id.0.checked_sub(1)?;
        self.places.get(index as usize).copied()
    }
}

impl Builder {
    /// Starts debug information: imports the instruction set.
    pub(crate) fn begin_debug_info(&mut self) {
        let sections = DebugSections {
            set: self.id(),
            void: self.ty_void(),
            word: self.ty_u32(),
            ..DebugSections::default()
        };
        if self.caps.target().spirv_version() < (1, 6) {
            self.caps.extension("SPV_KHR_non_semantic_info");
        }
        self.debug = Some(Box::new(sections));
    }

    /// Returns the `OpString` of a text of less than 65,536 bytes; a character that a string cannot
    /// have becomes a space.
    pub(crate) fn debug_string(&mut self, text: &str) -> Word {
        let next = self.next_id;
        let Some(debug) = &mut self.debug else {
            return 0;
        };
        if let Some(&known) = debug.string_ids.get(text) {
            return known;
        }
        debug.string_ids.insert(text.into(), next);
        self.next_id += 1;
        if text.contains('\0') {
            let text = text.replace('\0', " ");
            debug.strings.push_text(Op::String, &[next], &text, &[]);
        } else {
            debug.strings.push_text(Op::String, &[next], text, &[]);
        }
        next
    }

    /// Returns a 32-bit constant of debug information.
    pub(crate) fn debug_u32(&mut self, value: u32) -> Word {
        let word = self.debug.as_ref().map_or(0, |debug| debug.word);
        self.debug_constant(word, value)
    }

    /// Returns a constant of debug information, of a type of 32 bits or less.
    pub(crate) fn debug_constant(&mut self, ty: Word, value: u32) -> Word {
        let next = self.next_id;
        let Some(debug) = &mut self.debug else {
            return 0;
        };
        let id = *debug.constant_ids.entry((ty, value)).or_insert(next);
        if id == next {
            self.next_id += 1;
            (debug.constants).push(Op::Constant, [ty, id, value], &[]);
        }
        id
    }

    /// Returns a boolean constant of debug information.
    pub(crate) fn debug_bool(&mut self, value: bool) -> Word {
        let ty = self.ty_bool();
        let next = self.next_id;
        let Some(debug) = &mut self.debug else {
            return 0;
        };
        let id = *(debug.constant_ids)
            .entry((ty, value.into()))
            .or_insert(next);
        if id == next {
            self.next_id += 1;
            let op = if value {
                Op::ConstantTrue
            } else {
                Op::ConstantFalse
            };
            debug.constants.push(op, [ty, id], &[]);
        }
        id
    }

    /// Appends an instruction of debug information at module level.
    pub(crate) fn debug_global(&mut self, op: DebugOp, operands: &[Word]) -> Word {
        let id = self.next_id;
        let Some(debug) = &mut self.debug else {
            return 0;
        };
        self.next_id += 1;
        let before = [debug.void, id, debug.set, op as Word];
        (debug.instructions).push(Op::ExtInst, before, operands);
        id
    }

    /// Appends `DebugSource`, with its text split into several parts if needed.
    pub(crate) fn debug_source(&mut self, name: &str, text: Option<&str>) -> Word {
        let name = self.debug_string(name);
        let Some(text) = text else {
            return self.debug_global(DebugOp::DebugSource, &[name]);
        };
        let (first, mut rest) = part_of(text);
        let part = self.debug_string(first);
        let source = self.debug_global(DebugOp::DebugSource, &[name, part]);
        while !rest.is_empty() {
            let (first, after) = part_of(rest);
            let part = self.debug_string(first);
            self.debug_global(DebugOp::DebugSourceContinued, &[part]);
            rest = after;
        }
        source
    }

    /// Appends an instruction of debug information to the current block.
    pub(crate) fn debug_inst(&mut self, op: DebugOp, operands: &[Word]) {
        let id = self.next_id;
        let Some(debug) = &self.debug else {
            return;
        };
        self.next_id += 1;
        let before = [debug.void, id, debug.set, op as Word];
        self.code.push(Op::ExtInst, before, operands);
    }

    /// Returns the number of a place.
    pub(crate) fn debug_place(&mut self, place: Place) -> PlaceId {
        let Some(debug) = &mut self.debug else {
            return PlaceId::NONE;
        };
        *debug.place_ids.entry(place).or_insert_with(|| {
            debug.places.push(place);
            PlaceId(debug.places.len() as u32)
        })
    }

    /// Sets the place of the instructions that are appended from now on.
    #[inline]
    pub(crate) fn set_place(&mut self, place: PlaceId) {
        self.place = place;
    }

    /// Appends `DebugScope` and `DebugLine` if the place has changed.
    #[inline]
    pub(crate) fn mark_place(&mut self) {
        if self.place != self.marked {
            self.change_place();
        }
    }

    #[cold]
    fn change_place(&mut self) {
        let wanted = self.place;
        self.marked = wanted;
        let Some(debug) = &mut self.debug else {
            return;
        };
        let place = debug.place(wanted);
        // Line 0 is none.
        let wanted = place.filter(|place| place.line != 0);
        let wanted = wanted.map(|place| (place.source, place.line, place.column));
        let same = std::mem::replace(&mut debug.line, wanted) == wanted;
        if let Some(place) = place {
            self.change_scope(&place);
        }
        match wanted {
            _ if same => {}
            Some((source, line, column)) => {
                let (line, column) = (self.debug_u32(line), self.debug_u32(column));
                self.debug_inst(DebugOp::DebugLine, &[source, line, line, column, column]);
            }
            None => self.debug_inst(DebugOp::DebugNoLine, &[]),
        }
    }

    fn change_scope(&mut self, place: &Place) {
        let scope = (place.scope, place.inlined_at);
        let known = self.debug.as_mut().map(|debug| &mut debug.scope);
        if known.is_some_and(|known| std::mem::replace(known, scope) != scope) {
            let operands = [place.scope, place.inlined_at];
            let count = 1 + usize::from(place.inlined_at != 0);
            self.debug_inst(DebugOp::DebugScope, &operands[..count]);
        }
    }

    /// Appends `DebugScope` for an instruction of debug information, which is on no line.
    pub(crate) fn mark_scope(&mut self, place: PlaceId) {
        let debug = self.debug.as_ref();
        let place = debug.and_then(|debug| debug.place(place));
        if let Some(place) = place {
            self.change_scope(&place);
            self.marked = PlaceId::UNKNOWN;
        }
    }

    /// Forgets the place in effect, where a block begins.
    pub(super) fn reset_place(&mut self) {
        self.marked = PlaceId::NONE;
        if let Some(debug) = &mut self.debug {
            debug.scope = (0, 0);
            debug.line = None;
        }
    }
}

/// Splits off the first part of a text, which fits in a string and ends with a line if it can.
fn part_of(text: &str) -> (&str, &str) {
    let fits = &text[..text.floor_char_boundary(MAX_TEXT)];
    let lines = fits.rfind('\n').filter(|_| fits.len() < text.len());
    text.split_at(lines.map_or(fits.len(), |at| at + 1))
}
