//! Functions, blocks and instructions.

use trellis_entity::EntityRef;

use super::Listing;
use super::instruction::function_type;
use super::slots::Locals;
use crate::module::{BlockId, Function, Type, ValueId, ValueKind};

impl Listing<'_> {
    /// Writes a function; `index` counts globals, then functions.
    pub(super) fn function(&mut self, index: usize, f: &Function) {
        let m = self.m;
        self.t.push("\n");
        self.attribute_comment(f);
        self.t.push(if f.is_declaration {
            "declare "
        } else {
            "define "
        });
        self.linkage(f.linkage);
        self.calling_convention(f.cc, " ");
        let Some(Type::Function {
            ret,
            params,
            vararg,
        }) = function_type(m, f.ty)
        else {
            return self.t.push("<badtype>\n");
        };
        if let Some((_, attributes)) = self.slots.attributes_of(f.attributes, 0) {
            self.attributes(attributes, true, false);
            self.t.push(" ");
        }
        self.ty(*ret);
        self.t.push(" ");
        self.global_name(&f.name, index);
        self.t.push("(");
        self.slots.add_function(f);
        self.locals = Some(Locals::new(m, f));
        let arguments: Vec<ValueId> = (0..f.values.len())
            .filter(|&i| matches!(f.values[i].kind, ValueKind::Argument(_)))
            .map(|i| ValueId::from_u32((m.values.len() + i) as u32))
            .collect();
        for (i, &p) in params.iter().enumerate() {
            self.comma(i);
            self.ty(p);
            if let Some((_, attributes)) = self.slots.attributes_of(f.attributes, i as u32 + 1) {
                self.t.push(" ");
                self.attributes(attributes, true, false);
            }
            // LLVM 3.7 prints an argument's name, but not the number of one without name.
            let name = arguments.get(i).and_then(|&v| f.value_name(v));
            if let Some(name) = name.filter(|_| !f.is_declaration) {
                self.t.name(" %", name);
            }
        }
        if *vararg {
            self.comma(params.len());
            self.t.push("...");
        }
        self.t.push(")");
        if f.unnamed_addr {
            self.t.push(" unnamed_addr");
        }
        self.attribute_number(f.attributes);
        for &(kind, id) in &f.metadata {
            self.attachment(" ", kind);
            self.metadata(Some(f), id);
        }
        if f.is_declaration {
            self.t.push("\n");
        } else {
            self.t.push(" {");
            let predecessors = Predecessors::new(f);
            for block in f.blocks.keys() {
                self.block(f, block, &predecessors);
                if self.t.full {
                    return;
                }
            }
            self.t.push("}\n");
        }
        self.locals = None;
    }

    pub(super) fn attribute_number(&mut self, list: u32) {
        if let Some(slot) = self.slots.attribute_slot(list) {
            self.t.fmt(format_args!(" #{slot}"));
        }
    }

    pub(super) fn calling_convention(&mut self, cc: u32, after: &str) {
        match cc {
            0 => return,
            8 => self.t.push("fastcc"),
            9 => self.t.push("coldcc"),
            n => self.t.fmt(format_args!("cc{n}")),
        }
        self.t.push(after);
    }

    /// Writes `!kind ` of an attachment.
    pub(super) fn attachment(&mut self, separator: &str, kind: u32) {
        self.t.push(separator);
        match self.m.metadata.kind_name(kind) {
            Some(name) => self.metadata_name(name),
            None => self.t.fmt(format_args!("!<unknown kind #{kind}>")),
        }
        self.t.push(" ");
    }

    fn block(&mut self, f: &Function, b: BlockId, predecessors: &Predecessors) {
        let preds = predecessors.of(b);
        if let Some(name) = f.block_name(b) {
            self.t.name("\n", name);
            self.t.push(":");
        } else if !preds.is_empty() {
            let number = self.locals.as_ref().and_then(|l| l.block(b)).unwrap_or(0);
            self.t.fmt(format_args!("\n; <label>:{number}"));
        }
        if b.as_u32() != 0 {
            self.t.pad_to(50);
            self.t.push(";");
            if preds.is_empty() {
                self.t.push(" No predecessors!");
            }
            for (i, &p) in preds.iter().enumerate() {
                self.t.push(if i == 0 { " preds = " } else { ", " });
                self.block_name(f, p);
            }
        }
        self.t.push("\n");
        for inst in f.blocks[b].insts {
            self.instruction(f, inst);
            if self.t.full {
                return;
            }
        }
    }
}

/// Predecessors of each block in the order of LLVM's use lists: the last reference read comes
/// first, an edge each.
struct Predecessors {
    start: Vec<u32>,
    list: Vec<BlockId>,
}

impl Predecessors {
    fn new(f: &Function) -> Self {
        let mut edges: Vec<_> = f.edges().map(|(from, to)| (to.as_u32(), from)).collect();
        edges.reverse();
        edges.sort_by_key(|(to, _)| *to);
        let start = (0..=f.blocks.len() as u32)
            .map(|b| edges.partition_point(|(to, _)| *to < b) as u32)
            .collect();
        Self {
            start,
            list: edges.into_iter().map(|(_, from)| from).collect(),
        }
    }
    fn of(&self, block: BlockId) -> &[BlockId] {
        let block = block.index();
        match (self.start.get(block), self.start.get(block + 1)) {
            (Some(&from), Some(&to)) => self.list.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}
