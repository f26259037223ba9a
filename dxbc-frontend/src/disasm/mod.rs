//! The listing of a token stream in the assembly that FXC prints.
//!
//! [`disassemble`] prints the instructions and declarations as `D3DDisassemble` does, so that the
//! text can be compared with FXC's line by line. It differs where that is misleading: that prints
//! `sync_ugroup` as `sync_sat_ugroup`, offsets of zero texels, the reference value of
//! `gather4_po_c` as an integer, and addresses of `store_uav_typed` without spaces.
//!
//! The comments before the program have its features, buffers, resources and signatures. FXC's also have
//! classes, and repeat declarations of hull shaders.

mod buffers;
mod declaration;
mod header;
mod operand;

use std::fmt::Write as _;

use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::Error;
use crate::tokens::{
    Instruction, Item, ItemKind, Op, OperandRole, OperandType, Program, ResinfoType, ReturnType,
};

/// Deepest indentation. D3D's limit of nesting is 64; deeper text would be quadratic.
const MAX_INDENT: usize = 64;

/// Returns the listing of a program, with comments about the parts of `container`, and the number of
/// each item's line.
///
/// # Errors
/// A signature or the resource definitions are malformed.
pub(crate) fn disassemble(
    program: &Program,
    container: &Container<'_>,
) -> Result<(String, Vec<usize>), Error> {
    let mut listing = Listing {
        program,
        out: String::new(),
    };
    let (mut lines, mut line, mut counted) = (Vec::with_capacity(program.items.len()), 0, 0);
    header::header(&mut listing.out, program.kind, container)?;
    let stage = match program.kind {
        ShaderKind::Pixel => "ps",
        ShaderKind::Vertex => "vs",
        ShaderKind::Geometry => "gs",
        ShaderKind::Hull => "hs",
        ShaderKind::Domain => "ds",
        _ => "cs",
    };
    let (major, minor) = program.shader_model;
    let _ = writeln!(listing.out, "{stage}_{major}_{minor}");
    let mut depth = 0_usize;
    for item in &program.items {
        line += listing.out[counted..].matches('\n').count();
        counted = listing.out.len();
        lines.push(line);
        if matches!(item.op, Op::Else | Op::Endif | Op::Endloop | Op::Endswitch) {
            depth = depth.saturating_sub(1);
        }
        for _ in 0..depth.min(MAX_INDENT) {
            listing.out.push_str("  ");
        }
        listing.item(item);
        if matches!(item.op, Op::Else | Op::If | Op::Loop | Op::Switch) {
            depth += 1;
        }
    }
    header::footer(&mut listing.out, container);
    Ok((listing.out, lines))
}

/// The text so far.
struct Listing<'a> {
    program: &'a Program,
    out: String,
}

impl Listing<'_> {
    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Instruction(inst) => self.instruction(item.op, inst),
            ItemKind::Declaration(declaration) => self.declaration(item.op, declaration),
        }
        self.out.push('\n');
    }

    fn instruction(&mut self, op: Op, inst: &Instruction) {
        self.out.push_str(op.info().name);
        self.suffixes(op, inst);
        if op == Op::Sync {
            return;
        }
        self.out.push(' ');
        let operands = self.program.operands(inst);
        let result = operands.first().map(|first| first.min_precision);
        let result_type = op.info().operands.first();
        let keeps = |i| match op {
            Op::Ult | Op::Uge => true,
            Op::Ishl | Op::Ishr | Op::Ushr | Op::Ubfe => i == 2,
            _ => false,
        };
        for (i, (operand, &role)) in operands.iter().zip(op.info().operands).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            match role {
                OperandRole::Dest(_) => self.dest(operand),
                OperandRole::Source(ty) => {
                    // A value of the result's type is converted to the result's precision.
                    let converts = result_type == Some(&OperandRole::Dest(ty)) && !keeps(i);
                    let result = result.filter(|_| converts);
                    self.source(operand, ty, result.unwrap_or(operand.min_precision));
                }
                _ => self.source(operand, OperandType::Any, operand.min_precision),
            }
        }
        if op == Op::Fcall {
            let _ = write!(self.out, "[{}]", inst.function_index);
        }
    }

    /// Prints all between the name and the operands.
    fn suffixes(&mut self, op: Op, inst: &Instruction) {
        let is_test = matches!(
            op,
            Op::If | Op::Breakc | Op::Continuec | Op::Retc | Op::Callc | Op::Discard
        );
        let sync = inst.sync;
        for (is_set, suffix) in [
            (is_test && inst.nonzero, "_nz"),
            (is_test && !inst.nonzero, "_z"),
            (inst.saturate, "_sat"),
            (sync.uav_global, "_uglobal"),
            (sync.uav_group, "_ugroup"),
            (sync.groupshared, "_g"),
            (sync.threads_in_group, "_t"),
            (inst.offset != [0; 3], "_aoffimmi"),
            (inst.resource.is_some(), "_indexable"),
        ] {
            if is_set {
                self.out.push_str(suffix);
            }
        }
        match inst.precise {
            0 => {}
            15 => self.out.push_str(" [precise]"),
            mask => {
                self.out.push_str(" [precise(");
                self.mask(mask);
                self.out.push_str(")]");
            }
        }
        if inst.offset != [0; 3] {
            let [u, v, w] = inst.offset;
            let _ = write!(self.out, "({u},{v},{w})");
        }
        if let Some(resource) = inst.resource {
            let _ = write!(self.out, "({}", resource.dimension.name());
            if resource.stride != 0 {
                let _ = write!(self.out, ", stride={}", resource.stride);
            }
            self.out.push(')');
            if let Some(types) = resource.return_type {
                self.return_type(types);
            }
        }
        if matches!(op, Op::Resinfo | Op::Sampleinfo) && inst.resinfo != ResinfoType::Float {
            self.out.push_str(inst.resinfo.name());
        }
    }

    /// Prints types, such as `(float,float,float,float)`.
    fn return_type(&mut self, types: [ReturnType; 4]) {
        let [x, y, z, w] = types.map(ReturnType::name);
        let _ = write!(self.out, "({x},{y},{z},{w})");
    }

    /// Prints the components of a mask.
    fn mask(&mut self, mask: u8) {
        for (i, name) in "xyzw".chars().enumerate() {
            if mask >> i & 1 != 0 {
                self.out.push(name);
            }
        }
    }
}
