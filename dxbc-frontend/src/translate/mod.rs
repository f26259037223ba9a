//! Translates a token stream into DXIL: a module that calls `dx.op` operations, with the
//! description of its entry point.
//!
//! The walk over the instructions is in `flow.rs`: calls are translated in place. Registers become
//! SSA values, one variable per component of 32 bits (`operands.rs`); `x#` arrays are local arrays.
//! Arithmetic of minimum precision is on halves (`alu.rs`).
//!
//! The result is as of dxilconv (DirectXShaderCompiler, `projects/dxilconv`), but where that
//! differs from D3D's functional specification (D3D 11.3), this follows the specification.

mod alu;
mod buffers;
mod flow;
mod interface;
mod operands;
mod resources;
mod shared;
mod stages;
mod textures;

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::module::{BlockId, FunctionId, Module};
use trellis_dxil_frontend::shader::Shader;

use crate::build::{Builder, MAX_SIZE, TooLarge};
use crate::error::{Error, ProgramErrorKind};
use crate::tokens::{
    CustomDataClass, Declaration, GlobalFlags, Instruction, Item, ItemKind, Op, Operand, Program,
};

/// The result of a translation: the module, the description, and the block of each instruction by
/// the index of its item.
pub(crate) type Translated = (Module, Shader, Vec<(usize, FunctionId, BlockId)>);

/// Translates the token stream of a container.
///
/// # Errors
/// The container or the stream is malformed, or uses an unsupported feature.
pub(crate) fn translate(container: &Container<'_>, program: &Program) -> Result<Translated, Error> {
    Translator::new(container, program)?.translate(container)
}

/// A translation.
struct Translator<'p> {
    program: &'p Program,
    b: Builder,
    /// The instruction or declaration in translation.
    item: Item,
    resources: resources::Resources,
    interface: interface::Interface,
    flow: flow::Flow,
    arrays: FxHashMap<u32, operands::Array>,
    /// The immediate constant buffer.
    constants: Option<operands::Constants>,
    /// The block of each instruction by the index of its item.
    places: Vec<(usize, FunctionId, BlockId)>,
}

impl<'p> Translator<'p> {
    fn new(container: &Container<'_>, program: &'p Program) -> Result<Self, Error> {
        let Some(&item) = program.items.first() else {
            let what = "a program without instructions";
            return Err(ProgramErrorKind::Invalid { what }.at(0, None));
        };
        let mut b = Builder::new();
        b.set_limit(limit(program));
        Ok(Self {
            program,
            b,
            item,
            resources: resources::Resources::default(),
            interface: interface::Interface::read(container, program)?,
            flow: flow::Flow::default(),
            arrays: FxHashMap::default(),
            constants: None,
            places: Vec::new(),
        })
    }

    fn translate(mut self, container: &Container<'_>) -> Result<Translated, Error> {
        for (at, item) in self.program.items.iter().enumerate() {
            self.item = *item;
            match &item.kind {
                ItemKind::Declaration(declaration) => self.declare(declaration)?,
                ItemKind::Instruction(inst) => self.scan(at, inst)?,
            }
        }
        let entry = self.walk()?;
        let definitions = container.resource_definitions()?;
        let resources = self.resources.finish(definitions.as_ref());
        let shader = self
            .interface
            .finish(entry, resources, container.feature_flags()?);
        match self.b.finish() {
            Ok(module) => Ok((module, shader, self.places)),
            Err(TooLarge) => Err(too_large(self.program).at(self.item.offset, None)),
        }
    }

    /// Records a declaration. `x#` arrays are declared in the order of the walk, since each phase
    /// of a hull shader has its own.
    fn declare(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let declared = self.resources.declare(declaration);
        if declared.map_err(|kind| self.error(kind))? || self.declare_shared(declaration)? {
            return Ok(());
        }
        match *declaration {
            Declaration::GlobalFlags(flags) => {
                let allowed = flags.contains(GlobalFlags::REFACTORING_ALLOWED);
                self.b.set_refactoring(allowed);
            }
            Declaration::CustomData {
                class: CustomDataClass::ImmediateConstantBuffer,
                words,
            } => self.declare_constants(self.program.words(words))?,
            _ => {}
        }
        Ok(())
    }

    /// Translates an instruction that is not of control flow.
    fn instruction(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        self.b.set_precise(false);
        if self.access(op, inst)? || self.alu(op, inst)? || self.stage_instruction(op, inst)? {
            return Ok(());
        }
        Err(self.unsupported("this instruction"))
    }

    /// Returns operand `index` of an instruction.
    fn operand(&self, inst: &Instruction, index: usize) -> Result<&'p Operand, Error> {
        let operand = self.program.operands(inst).get(index);
        operand.ok_or_else(|| self.missing_operand())
    }

    #[cold]
    fn error(&self, kind: ProgramErrorKind) -> Error {
        kind.at(self.item.offset, Some(self.item.op))
    }

    #[cold]
    fn invalid(&self, what: &'static str) -> Error {
        self.error(ProgramErrorKind::Invalid { what })
    }

    #[cold]
    fn unsupported(&self, what: &'static str) -> Error {
        self.error(ProgramErrorKind::Unsupported { what })
    }

    #[cold]
    fn missing_operand(&self) -> Error {
        self.invalid("an operand is missing")
    }
}

/// Returns the most instructions that are translated, and that the module may have: real programs
/// need a few per operand.
fn limit(program: &Program) -> usize {
    (1 << 16) + 256 * (program.items.len() + program.operands.len())
}

fn too_large(program: &Program) -> ProgramErrorKind {
    let limit = limit(program).min(MAX_SIZE) as u64;
    ProgramErrorKind::Limit {
        what: "instructions after calls are translated in place",
        count: limit + 1,
        limit,
    }
}
