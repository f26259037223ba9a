//! Metadata nodes: tuples, and the specialized nodes of debug information in LLVM 3.7's syntax.

use super::Listing;
use super::debug_layout::How::{self, *};
use super::debug_layout::layout;
use super::slots::{LOCATION, Node, nullable_id};
use crate::metadata::{MdId, MdNode};

/// Fields of one specialized node on their way into the text.
struct Fields<'a> {
    raw: &'a [u64],
    /// True if a field was printed: the next one needs a comma.
    any: bool,
}

impl Fields<'_> {
    fn get(&self, index: usize) -> u64 {
        self.raw.get(index).copied().unwrap_or(0)
    }
    /// Returns the metadata operand of a field that holds 0 for null, else entry + 1.
    fn id(&self, index: usize) -> Option<MdId> {
        nullable_id(self.get(index))
    }
}

/// `DW_TAG_arg_variable`.
const ARG_VARIABLE: u64 = 0x101;

impl Listing<'_> {
    /// Writes the text of a numbered node.
    pub(super) fn node(&mut self, node: Node) {
        match node {
            Node::Location(loc) => {
                self.location(loc.line, loc.column, Some(loc.scope), loc.inlined_at);
            }
            Node::Entry(id) => match self.m.metadata.nodes.get(id) {
                Some(MdNode::Node { distinct, .. }) => {
                    self.t.push(if *distinct { "distinct !{" } else { "!{" });
                    let operands = self.m.metadata.tuple(id).into_iter().flatten();
                    for (i, operand) in operands.enumerate() {
                        self.comma(i);
                        self.nullable(operand);
                    }
                    self.t.push("}");
                }
                Some(MdNode::Debug { code, fields }) => {
                    let raw = self.m.metadata.records.get(fields.range()).unwrap_or(&[]);
                    self.specialized(*code, raw);
                }
                _ => self.t.push("<badref>"),
            },
        }
    }

    fn location(&mut self, line: u32, column: u32, scope: Option<MdId>, inlined: Option<MdId>) {
        self.t.fmt(format_args!("!DILocation(line: {line}"));
        if column != 0 {
            self.t.fmt(format_args!(", column: {column}"));
        }
        self.t.push(", scope: ");
        self.nullable(scope);
        if inlined.is_some() {
            self.t.push(", inlinedAt: ");
            self.nullable(inlined);
        }
        self.t.push(")");
    }

    fn nullable(&mut self, id: Option<MdId>) {
        match id {
            Some(id) => self.metadata(None, id),
            None => self.t.push("null"),
        }
    }

    fn specialized(&mut self, code: u32, raw: &[u64]) {
        let mut f = Fields { raw, any: false };
        if f.get(0) & 1 != 0 {
            self.t.push("distinct ");
        }
        match (code, layout(code)) {
            (LOCATION, _) => {
                let scope = nullable_id(f.get(3).saturating_add(1));
                self.location(f.get(1) as u32, f.get(2) as u32, scope, f.id(4));
            }
            (29, _) => {
                self.t.push("!");
                expression(&mut self.t, raw);
            }
            (_, Some((name, fields))) => {
                self.t.fmt(format_args!("!{name}("));
                for &(name, index, how) in fields {
                    self.field(&mut f, name, index, how);
                }
                self.t.push(")");
            }
            // A record whose layout this printer does not support.
            _ => self
                .t
                .fmt(format_args!("!DXILRecord(code: {code}, fields: {raw:?})")),
        }
    }

    fn field(&mut self, f: &mut Fields<'_>, name: &str, index: usize, how: How) {
        let value = f.get(index);
        let md = &self.m.metadata;
        let text = match how {
            Str | StrAlways => match f.id(index).and_then(|id| md.nodes.get(id)) {
                Some(MdNode::String(range)) => md.strings.get(range.range()).unwrap_or(&[]),
                _ => &[],
            },
            _ => &[],
        };
        let skip = match how {
            Str => text.is_empty(),
            Md | Int | Signed | Flags | Encoding | LanguageIf | Virtuality => value == 0,
            TagUnless(tag) => value == tag,
            Arg => value == 0 && f.get(1) != ARG_VARIABLE,
            _ => false,
        };
        if skip {
            return;
        }
        if std::mem::replace(&mut f.any, true) {
            self.t.push(", ");
        }
        self.t.push(name);
        self.t.push(": ");
        match how {
            Str | StrAlways => self.t.quoted(text),
            Md | MdAlways => self.nullable(f.id(index)),
            Int | IntAlways | Arg => self.t.fmt(format_args!("{value}")),
            Signed | SignedAlways => {
                let magnitude = (value >> 1) as i64;
                let number = if value & 1 != 0 {
                    -magnitude
                } else {
                    magnitude
                };
                self.t.fmt(format_args!("{number}"));
            }
            Bool => self.t.push(if value != 0 { "true" } else { "false" }),
            Flags => self.di_flags(value),
            Tag | TagUnless(_) => self.symbol("DW_TAG_", tag_name(value), value),
            Language | LanguageIf => self.symbol("DW_LANG_", language_name(value), value),
            Encoding => self.symbol("DW_ATE_", encoding_name(value), value),
            Virtuality => {
                let name = ["none", "virtual", "pure_virtual"].get(value as usize);
                self.symbol("DW_VIRTUALITY_", name.copied(), value);
            }
        }
    }

    fn symbol(&mut self, prefix: &str, name: Option<&str>, value: u64) {
        match name {
            Some(name) => self.t.fmt(format_args!("{prefix}{name}")),
            None => self.t.fmt(format_args!("{value}")),
        }
    }

    fn di_flags(&mut self, flags: u64) {
        const BITS: &str = "\
            FwdDecl AppleBlock BlockByrefStruct Virtual Artificial Explicit Prototyped \
            ObjcClassComplete ObjectPointer Vector StaticMember LValueReference RValueReference";
        let access = ["", "Private", "Protected", "Public"][(flags & 3) as usize];
        let bits = BITS.split(' ').enumerate();
        let set = bits.filter(|(i, _)| flags >> (i + 2) & 1 != 0);
        let names = Some(access).filter(|a| !a.is_empty()).into_iter();
        let names = names.chain(set.map(|(_, name)| name));
        let mut parts: Vec<String> = names.map(|name| format!("DIFlag{name}")).collect();
        let rest = flags >> 15 << 15;
        if rest != 0 {
            parts.push(rest.to_string());
        }
        self.t.push(&parts.join(" | "));
    }
}

/// Writes `DIExpression(…)`, shared with the comments of `llvm.dbg.*`.
pub(super) fn expression(t: &mut super::Text, raw: &[u64]) {
    t.push("DIExpression(");
    let mut ops = raw.get(1..).unwrap_or(&[]).iter();
    let mut any = false;
    while let Some(&op) = ops.next() {
        if std::mem::replace(&mut any, true) {
            t.push(", ");
        }
        let (name, arguments) = match op {
            0x06 => (Some("DW_OP_deref"), 0),
            0x1C => (Some("DW_OP_minus"), 1),
            0x22 => (Some("DW_OP_plus"), 1),
            0x9D => (Some("DW_OP_bit_piece"), 2),
            _ => (None, 0),
        };
        match name {
            Some(name) => t.push(name),
            None => t.fmt(format_args!("{op}")),
        }
        for argument in ops.by_ref().take(arguments) {
            t.fmt(format_args!(", {argument}"));
        }
    }
    t.push(")");
}

/// DWARF's name of a tag, without `DW_TAG_`.
fn tag_name(tag: u64) -> Option<&'static str> {
    Some(match tag {
        0x01 => "array_type",
        0x02 => "class_type",
        0x04 => "enumeration_type",
        0x05 => "formal_parameter",
        0x08 => "imported_declaration",
        0x0B => "lexical_block",
        0x0D => "member",
        0x0F => "pointer_type",
        0x10 => "reference_type",
        0x11 => "compile_unit",
        0x12 => "string_type",
        0x13 => "structure_type",
        0x15 => "subroutine_type",
        0x16 => "typedef",
        0x17 => "union_type",
        0x18 => "unspecified_parameters",
        0x1C => "inheritance",
        0x1F => "ptr_to_member_type",
        0x21 => "subrange_type",
        0x24 => "base_type",
        0x26 => "const_type",
        0x28 => "enumerator",
        0x29 => "file_type",
        0x2A => "friend",
        0x2E => "subprogram",
        0x2F => "template_type_parameter",
        0x30 => "template_value_parameter",
        0x34 => "variable",
        0x35 => "volatile_type",
        0x37 => "restrict_type",
        0x39 => "namespace",
        0x3A => "imported_module",
        0x3B => "unspecified_type",
        0x42 => "rvalue_reference_type",
        0x43 => "template_alias",
        0x100 => "auto_variable",
        0x101 => "arg_variable",
        0x4106 => "GNU_template_template_param",
        0x4107 => "GNU_template_parameter_pack",
        _ => return None,
    })
}

/// DWARF's name of a source language, without `DW_LANG_`.
fn language_name(language: u64) -> Option<&'static str> {
    Some(match language {
        1 => "C89",
        2 => "C",
        3 => "Ada83",
        4 => "C_plus_plus",
        5 => "Cobol74",
        0x0C => "C99",
        _ => return None,
    })
}

/// DWARF's name of a base type's encoding, without `DW_ATE_`.
fn encoding_name(encoding: u64) -> Option<&'static str> {
    const NAMES: &str =
        "address boolean complex_float float signed signed_char unsigned unsigned_char";
    NAMES
        .split(' ')
        .nth(usize::try_from(encoding).ok()?.checked_sub(1)?)
}
