//! A plan as an LLVM function.
#![expect(
    unsafe_code,
    reason = "address computations are unsafe in inkwell; the index is always below the number of inputs"
)]

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};

use crate::program::{INPUTS, Predicate};
use crate::random::{Block, End, Operation, Plan, Source, Step, Test};

/// The function that a module of a plan defines: `i32 (i32*)`, from the input to the result.
pub const FUNCTION: &str = "program";
/// The function that it calls: `void (i32, i32)`, with an id and a value.
pub const EVENT: &str = "event";

struct Lowering<'c> {
    context: &'c Context,
    builder: Builder<'c>,
    word: IntType<'c>,
    function: FunctionValue<'c>,
    event: FunctionValue<'c>,
    variables: Vec<PointerValue<'c>>,
    fuel: PointerValue<'c>,
    blocks: Vec<BasicBlock<'c>>,
}

/// Returns an LLVM module with one function: each variable is an `alloca`, each block a block, and
/// each jump back tests the fuel.
///
/// # Errors
/// LLVM's builder refuses an instruction, which would be a bug here.
pub fn lower<'c>(context: &'c Context, plan: &Plan) -> Result<Module<'c>, BuilderError> {
    let module = context.create_module("random");
    let word = context.i32_type();
    let input = word.ptr_type(AddressSpace::default());
    let function = module.add_function(FUNCTION, word.fn_type(&[input.into()], false), None);
    let event = module.add_function(
        EVENT,
        context
            .void_type()
            .fn_type(&[word.into(), word.into()], false),
        None,
    );
    attributes(context, plan, function, event);
    let builder = context.create_builder();
    let entry = context.append_basic_block(function, "entry");
    builder.position_at_end(entry);
    let variables = (0..plan.variables)
        .map(|number| builder.build_alloca(word, &format!("v{number}")))
        .collect::<Result<_, _>>()?;
    let fuel = builder.build_alloca(word, "fuel")?;
    builder.build_store(fuel, word.const_int(u64::from(plan.fuel), false))?;
    let blocks: Vec<_> = (0..plan.blocks.len())
        .map(|number| context.append_basic_block(function, &format!("b{number}")))
        .collect();
    let lowering = Lowering {
        context,
        builder,
        word,
        function,
        event,
        variables,
        fuel,
        blocks,
    };
    for variable in &lowering.variables {
        lowering.builder.build_store(*variable, word.const_zero())?;
    }
    lowering
        .builder
        .build_unconditional_branch(lowering.blocks[0])?;
    for (index, block) in plan.blocks.iter().enumerate() {
        lowering.block(index, block)?;
    }
    Ok(module)
}

fn attributes(
    context: &Context,
    plan: &Plan,
    function: FunctionValue<'_>,
    event: FunctionValue<'_>,
) {
    let attribute = |name: &str, value: u64| {
        context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value)
    };
    function.add_attribute(AttributeLoc::Function, attribute("nounwind", 0));
    event.add_attribute(AttributeLoc::Function, attribute("nounwind", 0));
    if plan.events.pure {
        event.add_attribute(AttributeLoc::Function, attribute("willreturn", 0));
        event.add_attribute(AttributeLoc::Function, attribute("inaccessiblememonly", 0));
        for name in ["noalias", "readonly", "nocapture"] {
            function.add_attribute(AttributeLoc::Param(0), attribute(name, 0));
        }
        function.add_attribute(
            AttributeLoc::Param(0),
            attribute("dereferenceable", INPUTS as u64 * 4),
        );
    }
    if plan.events.convergent {
        event.add_attribute(AttributeLoc::Function, attribute("convergent", 0));
    }
}

impl<'c> Lowering<'c> {
    fn constant(&self, value: u32) -> IntValue<'c> {
        self.word.const_int(u64::from(value), false)
    }

    fn get(&self, source: Source) -> Result<IntValue<'c>, BuilderError> {
        match source {
            Source::Constant(value) => Ok(self.constant(value)),
            Source::Variable(variable) => Ok(self
                .builder
                .build_load(self.variables[variable], "")?
                .into_int_value()),
        }
    }

    fn set(&self, variable: usize, value: IntValue<'c>) -> Result<(), BuilderError> {
        self.builder
            .build_store(self.variables[variable], value)
            .map(drop)
    }

    fn test(&self, test: Test) -> Result<IntValue<'c>, BuilderError> {
        let predicate = match test.predicate {
            Predicate::Eq => IntPredicate::EQ,
            Predicate::Ne => IntPredicate::NE,
            Predicate::Ugt => IntPredicate::UGT,
            Predicate::Uge => IntPredicate::UGE,
            Predicate::Ult => IntPredicate::ULT,
            Predicate::Ule => IntPredicate::ULE,
            Predicate::Sgt => IntPredicate::SGT,
            Predicate::Sge => IntPredicate::SGE,
            Predicate::Slt => IntPredicate::SLT,
            Predicate::Sle => IntPredicate::SLE,
        };
        self.builder
            .build_int_compare(predicate, self.get(test.a)?, self.get(test.b)?, "")
    }

    fn compute(
        &self,
        operation: Operation,
        a: Source,
        b: Source,
    ) -> Result<IntValue<'c>, BuilderError> {
        let (builder, x, y) = (&self.builder, self.get(a)?, self.get(b)?);
        let amount = || builder.build_and(y, self.constant(31), "");
        let odd = || builder.build_or(y, self.constant(1), "");
        match operation {
            Operation::Add => builder.build_int_add(x, y, ""),
            Operation::Sub => builder.build_int_sub(x, y, ""),
            Operation::Mul => builder.build_int_mul(x, y, ""),
            Operation::And => builder.build_and(x, y, ""),
            Operation::Or => builder.build_or(x, y, ""),
            Operation::Xor => builder.build_xor(x, y, ""),
            Operation::Shl => builder.build_left_shift(x, amount()?, ""),
            Operation::LShr => builder.build_right_shift(x, amount()?, false, ""),
            Operation::AShr => builder.build_right_shift(x, amount()?, true, ""),
            Operation::UDiv => builder.build_int_unsigned_div(x, odd()?, ""),
            Operation::URem => builder.build_int_unsigned_rem(x, odd()?, ""),
            Operation::SRem => {
                let divisor = match b {
                    Source::Constant(value) => 2 + value % 8,
                    Source::Variable(variable) => 2 + variable as u32 % 8,
                };
                builder.build_int_signed_rem(x, self.constant(divisor), "")
            }
        }
    }

    fn step(&self, step: Step) -> Result<(), BuilderError> {
        match step {
            Step::Set(to, from) => self.set(to, self.get(from)?),
            Step::Compute(to, operation, a, b) => self.set(to, self.compute(operation, a, b)?),
            Step::Read(to, index) => {
                let index = self.builder.build_and(
                    self.get(index)?,
                    self.constant(INPUTS as u32 - 1),
                    "",
                )?;
                let input = self
                    .function
                    .get_nth_param(0)
                    .map(|input| input.into_pointer_value())
                    .ok_or(BuilderError::UnsetPosition)?;
                // SAFETY: the index is below `INPUTS`.
                let element = unsafe { self.builder.build_in_bounds_gep(input, &[index], "")? };
                let value = self.builder.build_load(element, "")?;
                self.set(to, value.into_int_value())
            }
            Step::Event(id, value) => self
                .builder
                .build_call(
                    self.event,
                    &[self.constant(id).into(), self.get(value)?.into()],
                    "",
                )
                .map(drop),
            Step::Choose(to, test, a, b) => {
                let value =
                    self.builder
                        .build_select(self.test(test)?, self.get(a)?, self.get(b)?, "")?;
                self.set(to, value.into_int_value())
            }
        }
    }

    fn block(&self, index: usize, block: &Block) -> Result<(), BuilderError> {
        self.builder.position_at_end(self.blocks[index]);
        for &step in &block.steps {
            self.step(step)?;
        }
        let back = |to: &usize| *to <= index;
        let targets = block.end.targets();
        if !targets.iter().any(back) {
            return self.end(&block.end);
        }
        let fuel = self.builder.build_load(self.fuel, "")?.into_int_value();
        let left = self.builder.build_int_sub(fuel, self.constant(1), "")?;
        self.builder.build_store(self.fuel, left)?;
        let alive = self.builder.build_int_compare(
            IntPredicate::SGT,
            fuel,
            self.word.const_zero(),
            "alive",
        )?;
        let out = self.blocks[block.out];
        match &block.end {
            End::Jump(to) => self
                .builder
                .build_conditional_branch(alive, self.blocks[*to], out)
                .map(drop),
            End::Branch(test, then, else_)
                if !block.tests_first && targets.iter().any(|to| !back(to)) =>
            {
                let holds = self.test(*test)?;
                let holds = if back(then) {
                    self.builder.build_and(holds, alive, "")?
                } else {
                    let spent = self.builder.build_not(alive, "")?;
                    self.builder.build_or(holds, spent, "")?
                };
                self.builder
                    .build_conditional_branch(holds, self.blocks[*then], self.blocks[*else_])
                    .map(drop)
            }
            End::Switch(variable, modulus, default, cases)
                if !block.tests_first && !back(default) =>
            {
                let value = self.value(*variable, *modulus)?;
                let value = self
                    .builder
                    .build_select(alive, value, self.constant(u32::MAX), "")?
                    .into_int_value();
                self.switch(value, *default, cases)
            }
            end => {
                let next = self
                    .context
                    .insert_basic_block_after(self.blocks[index], &format!("b{index}.alive"));
                self.builder.build_conditional_branch(alive, next, out)?;
                self.builder.position_at_end(next);
                self.end(end)
            }
        }
    }

    fn value(&self, variable: usize, modulus: Option<u32>) -> Result<IntValue<'c>, BuilderError> {
        let value = self.get(Source::Variable(variable))?;
        match modulus {
            Some(modulus) => self
                .builder
                .build_int_unsigned_rem(value, self.constant(modulus), ""),
            None => Ok(value),
        }
    }

    fn switch(
        &self,
        value: IntValue<'c>,
        default: usize,
        cases: &[(u32, usize)],
    ) -> Result<(), BuilderError> {
        let cases: Vec<_> = cases
            .iter()
            .map(|&(literal, to)| (self.constant(literal), self.blocks[to]))
            .collect();
        self.builder
            .build_switch(value, self.blocks[default], &cases)
            .map(drop)
    }

    fn end(&self, end: &End) -> Result<(), BuilderError> {
        match end {
            End::Jump(to) => self
                .builder
                .build_unconditional_branch(self.blocks[*to])
                .map(drop),
            End::Branch(test, then, else_) => self
                .builder
                .build_conditional_branch(
                    self.test(*test)?,
                    self.blocks[*then],
                    self.blocks[*else_],
                )
                .map(drop),
            End::Switch(variable, modulus, default, cases) => {
                self.switch(self.value(*variable, *modulus)?, *default, cases)
            }
            End::Return => {
                let result = self.get(Source::Variable(0))?;
                self.builder.build_return(Some(&result)).map(drop)
            }
        }
    }
}

impl Plan {
    /// Returns the text of the plan's LLVM function before any pass.
    ///
    /// # Errors
    /// See [`lower`].
    pub fn to_llvm(&self) -> Result<String, BuilderError> {
        Ok(lower(&Context::create(), self)?
            .print_to_string()
            .to_string())
    }
}
