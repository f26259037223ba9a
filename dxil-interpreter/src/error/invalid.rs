//! Rules of DXIL that a module breaks.

use trellis_dxil_frontend::described;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::shader::ResourceClass;

described! {
    /// A rule of DXIL that a module breaks. [`Display`](std::fmt::Display) describes the violation.
    InvalidKind {
        NoEntryFunction => "an entry point without a function";
        NoBody => "a function without a body";
        NoThreads => "a compute shader without numthreads";
        NoStageProperties => "a shader without valid properties of its stage";
        NoDispatch => "an amplification shader that dispatches no groups";
        ThreadCount { threads: [u32; 3] } => "a group of {threads:?} threads; 1 to 1024 are valid";
        Recursion => "a function that calls itself";
        UnknownFunction => "a call of a function that does not exist";
        MetadataArgument => "metadata as an argument of a function with a body";
        UnknownBlock => "a branch to a block that does not exist";
        BlockEnd => "a block that ends after the last instruction of its function";
        PhiIncoming => "a phi without a value for a predecessor";
        UnknownValue => "an operand that does not exist";
        UnknownConstant => "a constant that does not exist";
        UnknownGlobal => "a global variable that does not exist";
        UnknownType => "a type that does not exist";
        NotAConstant => "an operand that is not a constant";
        NotLocal => "a result that is not a value of its function";
        NoValueType => "a value of type void, label, metadata or function";
        RecursiveType => "a type that contains itself";
        OperandTypes => "operands of different types";
        NotAScalar => "an aggregate where a scalar is required";
        ValueType => "a value of another type than its use requires";
        InsertedType => "an inserted value of another type than the element";
        NoCondition => "a select without a condition";
        NoBasePointer => "a getelementptr without a base pointer";
        IndexIntoScalar => "an index into a scalar";
        ElementIndex => "an index beyond the end of a vector";
        ArrayIndex => "an index beyond the end of an array";
        FieldIndex => "an index beyond the last field of a struct";
        ListType => "a list of numbers whose type is not an array";
        MissingOperand { op: Op } => "operation {op} without an operand that it requires";
        OperandNotConstant {
            op: Op,
            /// The operand, from 0.
            operand: usize,
        } => "operand {operand} of operation {op}, which is not a constant";
        AtomicOperation { code: u64 } => "an atomic operation with the unknown code {code}";
        UndeclaredResource { class: ResourceClass, id: u32 } =>
            "a handle of {class:?} {id}, which is not declared";
        UndeclaredElement { id: u32 } => "element {id} of a signature, which is not declared";
        ResourceClass => "a handle of an unknown class of resource";
        ResourceProperties => "a handle whose resource properties are unknown";
        NotAResource => "a handle of a value that is not a resource variable";
        UndefinedHandle => "an undefined handle";
        UndefinedQuery => "an undefined ray query";
        UnannotatedHandle => "a handle that is not annotated";
        NoTexelFormat => "a typed buffer or texture without a format";
    }
}
