//! Bounds of time, memory and the width of waves.

use trellis_dxil_frontend::described;

described! {
    /// A quantity that is limited so that every run ends.
    #[derive(Copy)]
    Quantity {
        Instructions => "instructions after inlining";
        Blocks => "blocks after inlining";
        NestedCalls => "nested calls";
        ConstantNesting => "nesting depth of a constant";
        Scalars => "scalars of one value";
        Fields => "struct fields before the accessed elements";
        VariableBytes => "bytes of variables";
        GroupBytes => "bytes of values and local memory of a group";
        LoopEdges => "edges times nesting depth of loops";
        Records => "records of a level of a work graph";
        RecordBytes => "bytes of the records of a level of a work graph";
        Vertices => "vertices of a draw";
        StageWords => "words of the values between two stages";
        PayloadBytes => "bytes of the payloads of a draw";
        Levels => "levels of a work graph";
        TraceSteps => "instructions of a trace";
    }
}

described! {
    /// A rule for the width of waves.
    #[derive(Copy)]
    WaveWidthRule {
        PowerOfTwo { maximum: u32 } => "it must be a power of two from 4 to {maximum}";
        Declared { minimum: u32, maximum: u32 } =>
            "the shader's WaveSize is {minimum} to {maximum}";
    }
}
