//! FUNCTION block (12): the driver, value numbers, and checks at the end of a body.

use trellis_entity::EntityRange;

use crate::metadata::MdId;

use crate::bitstream::{Block, Entry, Stream};
use crate::error::{Error, Place};
use crate::module::{
    BlockData, BlockId, DebugLoc, Function, FunctionId, Inst, InstId, InstKind, Type, TypeId,
    ValueData, ValueId, ValueKind,
};

use super::constants::Scope;
use super::errors::{
    bad_field, below, control_flow, in_record, missing, out_of_range, same_type, too_many,
    unknown_record, unresolved, unsupported,
};
use super::fields::Fields;
use super::metadata::{MdNumbering, local_md, read_attachments};
use super::symtab::read_function_symtab;
use super::{Builder, Result, block};

/// Use of a value before its definition, and the type that it must have.
#[derive(Clone, Copy)]
pub(super) struct ForwardUse {
    value: u32,
    ty: TypeId,
    inst: u32,
}

/// A function body under reading.
pub(super) struct Body<'b> {
    pub(super) builder: &'b mut Builder,
    pub(super) f: Function,
    /// Number of module-level values.
    base: u32,
    /// Types of the module-level values and of the function's.
    types: Vec<TypeId>,
    /// As in [`Builder`].
    pub(super) relative_ids: bool,
    /// Most blocks that the body can have: each ends in an instruction, which takes at least three
    /// bits.
    most_blocks: u64,
    /// Blocks declared.
    pub(super) block_count: u32,
    /// First instruction of the current block.
    block_start: InstId,
    pub(super) has_phis: bool,
    /// An argument of the function is metadata or a label.
    pub(super) has_metadata_arguments: bool,
    pub(super) md: MdNumbering,
    /// `void`.
    pub(super) void: TypeId,
}

/// Reads the body of function `id`.
pub(super) fn read_body(
    builder: &mut Builder,
    stream: &mut Stream<'_>,
    block: Block,
    id: FunctionId,
) -> Result<()> {
    let f = std::mem::take(&mut builder.module.functions[id]);
    builder.forward.clear();
    let base = builder.module.values.len();
    let mut types = std::mem::take(&mut builder.value_types);
    types.truncate(base);
    let void = builder.void_type();
    let md = MdNumbering {
        shared: builder.shared_metadata,
        local: builder.module.metadata.nodes.next_key().as_u32(),
    };
    let mut body = Body {
        f,
        base: base as u32,
        types,
        relative_ids: builder.relative_ids,
        builder,
        most_blocks: block.bits() as u64 / 3,
        block_count: 0,
        block_start: InstId::from_u32(0),
        has_phis: false,
        has_metadata_arguments: false,
        md,
        void,
    };
    let result = body.read(stream, block);
    let place = Place {
        function: Some(id.as_u32()),
        ..body.place()
    };
    let Body {
        builder, f, types, ..
    } = body;
    builder.module.functions[id] = f;
    builder.value_types = types;
    result.map_err(|error| error.within(stream.record_offset(), place))
}

impl Body<'_> {
    fn place(&self) -> Place {
        Place {
            basic_block: Some(self.f.blocks.len() as u32),
            instruction: Some(self.f.insts.len() as u32),
            ..Place::of_block(block::FUNCTION)
        }
    }

    fn read(&mut self, stream: &mut Stream<'_>, block: Block) -> Result<()> {
        self.add_arguments();
        // An instruction takes about 50 bits; the buffer grows when needed.
        let guess = block.bits() / 48;
        self.f.insts.reserve(guess);
        self.f.values.reserve(guess);
        self.types.reserve(guess);
        self.f.pool.reserve(guess * 2);
        stream.enter(block)?;
        loop {
            match stream.next_entry()? {
                Entry::End => break,
                Entry::Block(nested) => self.nested(stream, nested)?,
                Entry::Record(code) => {
                    if let Err(error) = self.record(code, Fields::new(stream.record())) {
                        let place = Place {
                            record: Some(code),
                            ..self.place()
                        };
                        return Err(in_record(error, stream, place));
                    }
                }
            }
        }
        self.finish()
    }

    fn add_arguments(&mut self) {
        let Type::Function { params, .. } = self.builder.module.ty(self.f.ty) else {
            return;
        };
        let module = &self.builder.module;
        self.has_metadata_arguments =
            (params.iter()).any(|&ty| matches!(module.ty(ty), Type::Metadata | Type::Label));
        self.f
            .values
            .extend(params.iter().enumerate().map(|(n, &ty)| ValueData {
                ty,
                kind: ValueKind::Argument(n as u32),
            }));
        self.types.extend(params);
    }

    fn nested(&mut self, stream: &mut Stream<'_>, nested: Block) -> Result<()> {
        match nested.id {
            block::CONSTANTS => {
                if !self.f.insts.is_empty() {
                    return Err(control_flow("constants after the first instruction"));
                }
                let scope = Scope {
                    base: self.base,
                    values: &mut self.f.values,
                };
                let first = scope.values.len();
                self.builder.read_constants(stream, nested, scope)?;
                let constants = self.f.values.iter().skip(first);
                self.types.extend(constants.map(|value| value.ty));
                Ok(())
            }
            block::METADATA => self.builder.read_metadata(stream, nested, self.md),
            block::METADATA_ATTACHMENT => {
                read_attachments(self.builder, stream, nested, self.md, &mut self.f)
            }
            block::VALUE_SYMTAB => read_function_symtab(&mut self.f, self.base, stream, nested),
            // Use-list orders, and blocks of later versions.
            _ => {
                stream.skip(nested);
                Ok(())
            }
        }
    }

    /// Reads a record. Each kind has a separate function, not inlined: in one function the values
    /// of all kinds would be spilled.
    #[inline(always)]
    fn record(&mut self, code: u32, fields: Fields<'_>) -> Result<()> {
        match code {
            1 => return self.declare_blocks(fields),
            33 => return self.debug_loc_again(),
            35 => return self.debug_loc(fields),
            _ => {}
        }
        match code {
            2 => self.binary(fields),
            3 => self.cast(fields),
            4 | 30 | 43 => self.gep(code, fields),
            5 | 29 => self.select(code, fields),
            6 => self.extract_element(fields),
            7 => self.insert_element(fields),
            8 => self.shuffle_vector(fields),
            9 | 28 => self.cmp(fields),
            10 => self.ret(fields),
            11 => self.br(fields),
            12 => self.switch(fields),
            15 => self.push(InstKind::Unreachable, self.void),
            16 => self.phi(fields),
            19 => self.alloca(fields),
            20 | 41 => self.load(code, fields),
            24 | 42 | 44 | 45 => self.store(code, fields),
            26 => self.extract_value(fields),
            27 => self.insert_value(fields),
            34 => self.call(fields),
            36 => self.fence(fields),
            37 | 46 => self.cmpxchg(code, fields),
            38 => self.atomic_rmw(fields),
            13 => Err(unsupported("invoke instruction")),
            23 => Err(unsupported("va_arg instruction")),
            31 => Err(unsupported("indirectbr instruction")),
            39 | 40 | 47 => Err(unsupported("exception-handling instruction")),
            code => Err(unknown_record(code)),
        }
    }

    #[inline(never)]
    fn declare_blocks(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (count, limit) = (fields.take()?, self.most_blocks);
        if count == 0 || self.block_count != 0 {
            return Err(bad_field(
                "number of basic blocks",
                count,
                "one declaration of at least 1",
            ));
        }
        if count > limit {
            return Err(too_many("basic blocks", count, limit));
        }
        self.block_count = count as u32;
        self.f.blocks.reserve((count as usize).min(4096));
        Ok(())
    }

    #[inline(never)]
    fn debug_loc(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (line, column) = (fields.index("line")?, fields.index("column")?);
        let (scope, inlined) = (fields.index("scope")?, fields.index("inlined-at")?);
        // Without a scope LLVM has no location at all.
        if let Some(scope) = scope.checked_sub(1) {
            let scope = local_md(self.builder, self.md, scope)?;
            let inlined_at = inlined
                .checked_sub(1)
                .map(|n| local_md(self.builder, self.md, n))
                .transpose()?;
            self.f.debug_locs.push(DebugLoc {
                line,
                column,
                scope,
                inlined_at,
            });
            let number = self.f.debug_locs.len() as u32;
            self.set_debug_loc(number)
        } else {
            self.set_debug_loc(0)
        }
    }

    fn debug_loc_again(&mut self) -> Result<()> {
        self.set_debug_loc(self.f.debug_locs.len() as u32)
    }

    fn set_debug_loc(&mut self, number: u32) -> Result<()> {
        match self.f.insts.last_mut() {
            Some(inst) => {
                inst.debug_loc = number;
                Ok(())
            }
            None => Err(control_flow("debug location before the first instruction")),
        }
    }

    /// Returns the number that the next value gets.
    #[inline]
    pub(super) fn next_value(&self) -> u32 {
        self.types.len() as u32
    }

    /// Returns a value that is defined already.
    pub(super) fn defined(&self, value: u32) -> Option<&ValueData> {
        match value.checked_sub(self.base) {
            None => self.builder.module.values.get(value as usize),
            Some(local) => self.f.values.get(local as usize),
        }
    }

    /// Returns the type of a value that is defined already.
    #[inline(always)]
    pub(super) fn type_of(&self, value: u32) -> Option<TypeId> {
        self.types.get(value as usize).copied()
    }

    /// Undoes the relative encoding.
    #[inline(always)]
    pub(super) fn absolute(&self, field: u32) -> u32 {
        if self.relative_ids {
            self.next_value().wrapping_sub(field)
        } else {
            field
        }
    }

    #[inline(never)]
    fn forward(&mut self, value: u32, ty: TypeId) -> Result<ValueId> {
        // With 2^31 or more the number cannot be a value's, and has the bit that marks metadata
        // arguments.
        if value >> 31 != 0 {
            return Err(unresolved(value, self.next_value()));
        }
        self.builder.forward.push(ForwardUse {
            value,
            ty,
            inst: self.f.insts.len() as u32,
        });
        Ok(ValueId::from_u32(value))
    }

    /// Returns the operand whose type follows in the record if it is a forward reference.
    #[inline(always)]
    pub(super) fn value(&mut self, fields: &mut Fields<'_>) -> Result<(ValueId, TypeId)> {
        let value = self.absolute(fields.index("operand")?);
        match self.type_of(value) {
            Some(ty) => Ok((ValueId::from_u32(value), ty)),
            None => {
                let ty = self.builder.type_at(fields.take()?)?;
                Ok((self.forward(value, ty)?, ty))
            }
        }
    }

    /// Returns the operand whose type the operation determines.
    #[inline(always)]
    pub(super) fn value_of(
        &mut self,
        what: &'static str,
        ty: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<ValueId> {
        let value = self.absolute(fields.index("operand")?);
        self.number_of(what, ty, value)
    }

    /// Returns the value of that (absolute) number and type.
    #[inline(always)]
    pub(super) fn number_of(
        &mut self,
        what: &'static str,
        ty: TypeId,
        value: u32,
    ) -> Result<ValueId> {
        match self.type_of(value) {
            Some(found) => {
                same_type(what, found, ty)?;
                Ok(ValueId::from_u32(value))
            }
            None => self.forward(value, ty),
        }
    }

    /// Returns the metadata argument with that (absolute) number.
    pub(super) fn metadata_argument(&self, number: u32) -> Result<MdId> {
        local_md(self.builder, self.md, number)
    }

    pub(super) fn block_id(&self, number: u64) -> Result<BlockId> {
        below("basic block", number, self.block_count as usize).map(BlockId::from_u32)
    }

    /// Returns whether the current block has an instruction other than phis.
    pub(super) fn past_phis(&self) -> bool {
        let insts = &self.f.insts;
        let last = insts.last().map(|(_, inst)| inst.kind);
        insts.next_key() != self.block_start && !matches!(last, Some(InstKind::Phi { .. }))
    }

    /// Appends an instruction; a result type other than `void` makes a value.
    #[inline(always)]
    pub(super) fn push(&mut self, kind: InstKind, ty: TypeId) -> Result<()> {
        if self.f.blocks.len() as u32 >= self.block_count {
            let what = if self.block_count == 0 {
                "instruction before the declaration of blocks"
            } else {
                "instruction after the last block's terminator"
            };
            return Err(control_flow(what));
        }
        let id = self.f.insts.next_key();
        let result = (ty != self.void).then(|| ValueId::from_u32(self.next_value()));
        if result.is_some() {
            self.types.push(ty);
            self.f.values.push(ValueData {
                ty,
                kind: ValueKind::Inst(id),
            });
        }
        self.f.insts.push(Inst {
            kind,
            ty,
            result: result.into(),
            debug_loc: 0,
        });
        if kind.is_terminator() {
            let end = self.f.insts.next_key();
            self.f.blocks.push(BlockData {
                insts: EntityRange::new(self.block_start, end),
            });
            self.block_start = end;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if self.block_count == 0 {
            return Err(missing("declaration of basic blocks"));
        }
        if self.f.insts.next_key() != self.block_start {
            return Err(control_flow("the last block has no terminator"));
        }
        if self.f.blocks.len() as u32 != self.block_count {
            let (index, count) = (self.f.blocks.len() as u64, self.block_count.into());
            return Err(out_of_range("number of basic blocks", index, count));
        }
        for &ForwardUse { value, ty, inst } in &self.builder.forward {
            let at_use = |error: Error| {
                let place = Place {
                    instruction: Some(inst),
                    ..Place::of_block(block::FUNCTION)
                };
                error.within(usize::MAX, place)
            };
            let Some(found) = self.type_of(value) else {
                return Err(at_use(unresolved(value, self.next_value())));
            };
            same_type("operand defined later", found, ty).map_err(at_use)?;
        }
        self.builder
            .check_metadata_from(MdId::from_u32(self.md.local), Some(&self.f.values))?;
        self.check_phis()
    }
}
