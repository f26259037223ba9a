//! Vulkan's memory model, for modules that were made for GLSL's.
//!
//! In GLSL's model a variable is `Coherent` or not, and barriers order all of the storage classes
//! that they name. In Vulkan's each access states whether others may see it (`NonPrivatePointer`),
//! and accesses to coherent memory make themselves available or visible. This pass over the
//! finished words changes the module from one to the other: the capability is the builder's.
//! Constants that it needs come before the first function. It takes one walk over the declarations
//! and one over the functions. Source: SPIR-V, "Memory Model" and "Memory Operands"; Vulkan
//! specification, appendix "Memory Model".

use rspirv::spirv::{
    Decoration, ExecutionModel, ImageOperands, MemoryAccess, MemoryModel, MemorySemantics, Op,
    Scope, StorageClass, Word,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Words of the header; the bound is one of them.
const HEADER: usize = 5;
const BOUND: usize = 3;

/// Declarations of the module.
#[derive(Default)]
struct Declared {
    /// Storage class and pointee of each pointer type.
    pointers: FxHashMap<Word, (Word, Word)>,
    /// Variables and structs that are coherent.
    coherent: FxHashSet<Word>,
    /// Variables whose value may change at any time.
    volatile: FxHashSet<Word>,
    /// 32-bit constants by value, and values by constant.
    constants: FxHashMap<Word, Word>,
    values: FxHashMap<Word, Word>,
    /// The type of unsigned 32-bit integers.
    word: Option<Word>,
    /// The module is a hull shader, whose barrier orders its outputs.
    is_hull: bool,
}

/// A pointer, or an object that was loaded by one.
#[derive(Clone, Copy)]
struct Pointer {
    class: Word,
    coherent: bool,
    volatile: bool,
}

/// Calls `visit` with each instruction: its first word, opcode, and other words.
fn each(words: &[Word], mut visit: impl FnMut(Word, Option<Op>, &[Word])) {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        // The words are our own; a length of 0 must not loop all the same.
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (inst, after) = rest.split_at(length);
        visit(first, Op::from_u32(first & 0xFFFF), &inst[1..]);
        rest = after;
    }
}

fn decoration(number: Word) -> Option<Decoration> {
    Decoration::from_u32(number)
}

impl Declared {
    fn of(words: &[Word]) -> Self {
        let mut found = Self::default();
        each(words, |_, op, operands| match (op, operands) {
            (Some(Op::EntryPoint), [model, ..]) => {
                found.is_hull = *model == ExecutionModel::TessellationControl as Word;
            }
            (Some(Op::Decorate), [id, number]) => match decoration(*number) {
                Some(Decoration::Coherent) => {
                    found.coherent.insert(*id);
                }
                Some(Decoration::Volatile) => {
                    found.volatile.insert(*id);
                }
                _ => {}
            },
            (Some(Op::MemberDecorate), [id, _, number])
                if decoration(*number) == Some(Decoration::Coherent) =>
            {
                found.coherent.insert(*id);
            }
            (Some(Op::TypePointer), &[id, class, pointee]) => {
                found.pointers.insert(id, (class, pointee));
            }
            (Some(Op::TypeNodePayloadArrayAMDX), &[id, record])
                if found.coherent.contains(&record) =>
            {
                found.coherent.insert(id);
            }
            (Some(Op::TypeInt), &[id, 32, 0]) => found.word = Some(id),
            (Some(Op::Constant), &[ty, id, value]) if found.word == Some(ty) => {
                found.constants.entry(value).or_insert(id);
                found.values.insert(id, value);
            }
            _ => {}
        });
        found
    }
}

/// Returns true if invocations share memory of a class.
fn is_shared(class: Word) -> bool {
    [
        StorageClass::StorageBuffer,
        StorageClass::PhysicalStorageBuffer,
        StorageClass::Workgroup,
        StorageClass::NodePayloadAMDX,
    ]
    .iter()
    .any(|&shared| shared as Word == class)
}

/// The module under construction.
struct Rewriter {
    declared: Declared,
    /// Pointers, and objects that were loaded by one.
    pointers: FxHashMap<Word, Pointer>,
    /// Declarations that were added.
    added: Vec<Word>,
    bound: Word,
}

impl Rewriter {
    fn id(&mut self) -> Word {
        self.bound += 1;
        self.bound - 1
    }

    /// Returns a 32-bit constant.
    fn constant(&mut self, value: Word) -> Word {
        if let Some(&id) = self.declared.constants.get(&value) {
            return id;
        }
        let ty = match self.declared.word {
            Some(ty) => ty,
            None => {
                let ty = self.id();
                self.added
                    .extend([4 << 16 | Op::TypeInt as Word, ty, 32, 0]);
                *self.declared.word.insert(ty)
            }
        };
        let id = self.id();
        self.added
            .extend([4 << 16 | Op::Constant as Word, ty, id, value]);
        self.declared.constants.insert(value, id);
        self.declared.values.insert(id, value);
        id
    }

    /// Returns a scope: the device's is the queue family's, which needs no feature.
    fn scope(&mut self, id: Word) -> Word {
        if self.declared.values.get(&id) == Some(&(Scope::Device as Word)) {
            self.constant(Scope::QueueFamily as Word)
        } else {
            id
        }
    }

    /// Records the result of an instruction, if it is a pointer or a loaded object.
    fn note(&mut self, op: Op, operands: &[Word]) {
        let (&[ty, id], base) = (
            match operands.first_chunk() {
                Some(first) => first,
                None => return,
            },
            operands.get(2),
        );
        let is_made = matches!(
            op,
            Op::Variable
                | Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::FunctionParameter
                | Op::CopyObject
                | Op::Bitcast
                | Op::ConvertUToPtr
                | Op::Phi
                | Op::Select
                | Op::AllocateNodePayloadsAMDX
        );
        let base = base.and_then(|base| self.pointers.get(base)).copied();
        if let Some(&(class, pointee)) = self.declared.pointers.get(&ty).filter(|_| is_made) {
            let of = |set: &FxHashSet<Word>| set.contains(&id) || set.contains(&pointee);
            // The operand after the result is a storage class or a scope there.
            let base = base.filter(|_| !matches!(op, Op::Variable | Op::AllocateNodePayloadsAMDX));
            let pointer = Pointer {
                class,
                coherent: of(&self.declared.coherent) || base.is_some_and(|base| base.coherent),
                volatile: of(&self.declared.volatile) || base.is_some_and(|base| base.volatile),
            };
            self.pointers.insert(id, pointer);
        // The accesses to an image are at its texels, not at the load of the image.
        } else if let (Op::Load, Some(base)) = (op, base) {
            self.pointers.insert(id, base);
        }
    }

    /// Returns the memory operands of an access: `at` is their position among the operands.
    fn access(
        &mut self,
        operands: &mut SmallVec<[Word; 8]>,
        pointer: Word,
        at: usize,
        making: MemoryAccess,
    ) {
        let Some(&pointer) = self.pointers.get(&pointer) else {
            return;
        };
        let mut mask = MemoryAccess::empty();
        if is_shared(pointer.class) {
            mask |= MemoryAccess::NON_PRIVATE_POINTER;
            if pointer.coherent {
                mask |= making;
            }
        }
        if pointer.volatile {
            mask |= MemoryAccess::VOLATILE;
        }
        self.add(operands, at, mask.bits(), mask.contains(making));
    }

    /// Adds bits to the mask at a position, and the scope of a coherent access after all others.
    fn add(
        &mut self,
        operands: &mut SmallVec<[Word; 8]>,
        at: usize,
        mask: Word,
        is_coherent: bool,
    ) {
        if mask == 0 {
            return;
        }
        match operands.get_mut(at) {
            Some(known) => *known |= mask,
            None => operands.push(mask),
        }
        if is_coherent {
            let scope = self.constant(Scope::QueueFamily as Word);
            operands.push(scope);
        }
    }

    /// Adds the image operands of a read or write of a storage image.
    fn texel(
        &mut self,
        operands: &mut SmallVec<[Word; 8]>,
        image: Word,
        at: usize,
        making: ImageOperands,
    ) {
        let is_coherent = self
            .pointers
            .get(&image)
            .is_some_and(|image| image.coherent);
        let mut mask = ImageOperands::NON_PRIVATE_TEXEL;
        if is_coherent {
            mask |= making;
        }
        self.add(operands, at, mask.bits(), is_coherent);
    }

    /// Changes the semantics of a barrier, whose memory scope and semantics are at `at`.
    fn barrier(&mut self, operands: &mut [Word], at: usize) {
        let [scope, semantics] = &mut operands[at..at + 2] else {
            return;
        };
        let known = self.declared.values.get(semantics).copied().unwrap_or(0);
        let mut wanted = MemorySemantics::from_bits_truncate(known);
        if self.declared.is_hull {
            // In this model outputs are ordered only by explicit semantics.
            *scope = self.constant(Scope::Workgroup as Word);
            wanted |= MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::OUTPUT_MEMORY;
        }
        *scope = self.scope(*scope);
        if self.declared.is_hull {
            *semantics = self.constant(wanted.bits());
        } else if wanted.contains(MemorySemantics::ACQUIRE_RELEASE) {
            // GLSL's barriers do both implicitly.
            wanted |= MemorySemantics::MAKE_AVAILABLE | MemorySemantics::MAKE_VISIBLE;
            *semantics = self.constant(wanted.bits());
        }
    }

    /// Changes an instruction.
    fn change(&mut self, op: Op, operands: &mut SmallVec<[Word; 8]>) {
        match (op, &operands[..]) {
            (Op::Load, &[_, _, pointer, ..]) => {
                self.access(operands, pointer, 3, MemoryAccess::MAKE_POINTER_VISIBLE);
            }
            (Op::Store, &[pointer, _, ..]) => {
                self.access(operands, pointer, 2, MemoryAccess::MAKE_POINTER_AVAILABLE);
            }
            (Op::CooperativeMatrixLoadKHR, &[_, _, pointer, ..]) => {
                self.access(operands, pointer, 5, MemoryAccess::MAKE_POINTER_VISIBLE);
            }
            (Op::CooperativeMatrixStoreKHR, &[pointer, _, ..]) => {
                self.access(operands, pointer, 4, MemoryAccess::MAKE_POINTER_AVAILABLE);
            }
            (Op::ImageRead | Op::ImageSparseRead, &[_, _, image, _, ..]) => {
                self.texel(operands, image, 4, ImageOperands::MAKE_TEXEL_VISIBLE);
            }
            (Op::ImageWrite, &[image, _, _, ..]) => {
                self.texel(operands, image, 3, ImageOperands::MAKE_TEXEL_AVAILABLE);
            }
            (Op::ControlBarrier, [_, _, _]) => self.barrier(operands, 1),
            (Op::MemoryBarrier, [_, _]) => self.barrier(operands, 0),
            (Op::AtomicStore, &[_, scope, ..]) => operands[1] = self.scope(scope),
            (op, &[_, _, _, scope, _, ..]) if is_atomic(op) => operands[3] = self.scope(scope),
            _ => {}
        }
    }
}

/// Returns true if an instruction is atomic and has a result.
fn is_atomic(op: Op) -> bool {
    (Op::AtomicLoad as Word..=Op::AtomicXor as Word).contains(&(op as Word))
        && op != Op::AtomicStore
        || matches!(
            op,
            Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT
        )
}

/// Returns a module for GLSL's memory model as one for Vulkan's.
pub(super) fn vulkan(words: &[Word]) -> Vec<Word> {
    let mut rewriter = Rewriter {
        declared: Declared::of(words),
        pointers: FxHashMap::default(),
        added: Vec::new(),
        bound: words.get(BOUND).copied().unwrap_or(0),
    };
    let mut out = Vec::with_capacity(words.len() + words.len() / 16);
    out.extend_from_slice(words.get(..HEADER).unwrap_or_default());
    let mut functions = None;
    each(words, |first, op, operands| {
        let mut operands: SmallVec<[Word; 8]> = operands.into();
        match (op, &operands[..]) {
            (Some(Op::MemoryModel), _) => {
                if let Some(model) = operands.get_mut(1) {
                    *model = MemoryModel::Vulkan as Word;
                }
            }
            (Some(Op::Decorate), [_, number]) | (Some(Op::MemberDecorate), [_, _, number])
                if matches!(
                    decoration(*number),
                    Some(Decoration::Coherent | Decoration::Volatile)
                ) =>
            {
                return;
            }
            (Some(Op::Function), _) => {
                functions.get_or_insert(out.len());
            }
            (Some(op), _) => {
                rewriter.note(op, &operands);
                rewriter.change(op, &mut operands);
            }
            (None, _) => {}
        }
        out.push((operands.len() as Word + 1) << 16 | first & 0xFFFF);
        out.extend_from_slice(&operands);
    });
    // The new constants belong to the declarations, before the first function.
    let at = functions.unwrap_or(out.len());
    out.splice(at..at, rewriter.added);
    if let Some(bound) = out.get_mut(BOUND) {
        *bound = rewriter.bound;
    }
    out
}
