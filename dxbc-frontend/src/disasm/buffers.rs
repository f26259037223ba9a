//! Comments about constant buffers and the elements of structured buffers: their variables and types.

use std::fmt::Write as _;

use trellis_dxil_frontend::container::{
    BufferDefinition, BufferVariable, ContainerError, VariableType, VariableTypes,
};

/// Deepest nesting of structures that is printed, and most members of all.
const MAX_DEPTH: usize = 16;
const MAX_MEMBERS: usize = 1 << 13;

/// Column of a variable's offset.
const OFFSET_COLUMN: usize = 40;

/// Prints definitions.
pub(super) struct Printer<'o, 'a> {
    pub(super) o: &'o mut String,
    pub(super) types: VariableTypes<'a>,
    /// Members so far.
    pub(super) members: usize,
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn buffers(
        &mut self,
        buffers: &[BufferDefinition<'a>],
    ) -> Result<(), ContainerError> {
        self.o.push_str("// Buffer Definitions: \n//\n");
        for buffer in buffers {
            let kind = match buffer.kind {
                0 => "cbuffer",
                1 => "tbuffer",
                2 => "interfaces",
                _ => "Resource bind info for",
            };
            let _ = write!(self.o, "// {kind} {}\n// {{\n//\n", buffer.name);
            for (at, variable) in buffer.variables.iter().enumerate() {
                self.variable(variable, at == 0, 0, 0)?;
                self.value(variable.value);
            }
            self.o.push_str("//\n// }\n//\n");
        }
        self.o.push_str("//\n");
        Ok(())
    }

    /// Prints a variable, or a member of a structure that begins at `start`.
    fn variable(
        &mut self,
        variable: &BufferVariable<'_>,
        is_first: bool,
        start: u32,
        depth: usize,
    ) -> Result<(), ContainerError> {
        self.members += 1;
        if depth > MAX_DEPTH || self.members > MAX_MEMBERS {
            return Ok(());
        }
        let ty = self.types.at(variable.ty)?;
        let indent = " ".repeat(3 + 4 * depth);
        let offset = start.wrapping_add(variable.offset);
        // As FXC does it, an array of one is none.
        let array = match ty.elements {
            0 | 1 => String::new(),
            n => format!("[{n}]"),
        };
        let mut line = match ty.class {
            5 | 6 => {
                if !is_first {
                    let _ = writeln!(self.o, "//{indent}");
                }
                let space = if ty.name.is_empty() { "" } else { " " };
                let _ = writeln!(self.o, "//{indent}struct{space}{}", ty.name);
                let _ = writeln!(self.o, "//{indent}{{\n//{indent}    ");
                for (at, member) in ty.members.iter().enumerate() {
                    self.variable(member, at == 0, offset, depth + 1)?;
                }
                format!("//\n//{indent}}} {}{array};", variable.name)
            }
            _ => format!("//{indent}{} {}{array};", type_name(&ty), variable.name),
        };
        let length = line.rsplit('\n').next().map_or(0, str::len);
        line.extend(std::iter::repeat_n(
            ' ',
            OFFSET_COLUMN.saturating_sub(length),
        ));
        let _ = write!(self.o, "{line}// Offset: {offset:4}");
        if depth == 0 {
            let unused = if variable.is_used { "" } else { " [unused]" };
            let _ = write!(self.o, " Size: {:5}{unused}", variable.size);
        }
        self.o.push('\n');
        Ok(())
    }

    /// Prints an initial value, four words in a line.
    fn value(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        for (at, line) in words.chunks(4).enumerate() {
            self.o
                .push_str(if at == 0 { "//      = " } else { "//        " });
            for &word in line {
                let _ = write!(self.o, "{:#010x} ", u32::from_le_bytes(word));
            }
            self.o.push('\n');
        }
    }
}

fn type_name(ty: &VariableType<'_>) -> String {
    let (scalar, rows, columns) = (ty.scalar_name(), ty.rows, ty.columns);
    match ty.class {
        0 => scalar.to_owned(),
        1 => format!("{scalar}{columns}"),
        2 => format!("row_major {scalar}{rows}x{columns}"),
        3 => format!("{scalar}{rows}x{columns}"),
        7 => format!("interface {}", ty.name),
        _ => ty.name.to_owned(),
    }
}
