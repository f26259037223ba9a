//! The listing of a module in LLVM 3.7's own syntax, under a header of comments about resources and
//! signatures, as DXC's dump has it.
//!
//! [`disassemble`] follows LLVM's printer: it numbers types, metadata and values in the same order,
//! so that the text can be compared with DXC's line by line.

mod comments;
mod debug_info;
mod debug_layout;
mod function;
mod header;
mod header_buffers;
mod header_psv;
mod header_view_id;
mod instruction;
mod lines;
mod slots;
mod text;
mod type_finder;
mod values;

use crate::container::Container;
use crate::error::Error;
use crate::module::{Attribute, Function, Global, Linkage, Module, Type};
use crate::shader::Shader;
use slots::{Locals, Slots};
use text::Text;
use type_finder::TypeFinder;

pub use crate::error::ListingTooLong;
pub use header::FEATURE_NAMES;
pub use lines::{FunctionText, function_text};

/// Returns the longest listing in bytes for a module of this size. A real shader's listing stays
/// far below; without a limit, nested constants or types of a hostile file could expand to more
/// text than there is memory.
fn limit(m: &Module) -> usize {
    let bodies: usize = m
        .functions
        .values()
        .map(|f| f.insts.len() * 1024 + f.pool.len() * 128)
        .sum();
    let metadata = m.metadata.nodes.len() * 512
        + m.metadata.operands.len() * 64
        + m.metadata.strings.len() * 8;
    (64 << 20) + bodies + metadata + m.constants.len() * 128
}

/// Prints a module. The header shows the contents of `shader` and `container`; without them only
/// the module is printed. The header ends with the error of the first part that is malformed.
///
/// # Errors
/// The listing exceeds a limit that grows with the module ([`ListingTooLong`]).
pub fn disassemble(
    module: &Module,
    shader: Option<&Shader>,
    container: Option<&Container<'_>>,
) -> Result<String, Error> {
    let limit = limit(module);
    let mut listing = Listing {
        m: module,
        t: Text::new(limit),
        slots: Slots::new(module),
        locals: None,
    };
    // Data that a conversion does not read may be malformed.
    if let Err(error) = header::write(&mut listing.t, module, shader, container) {
        listing.t.fmt(format_args!("; {error}\n"));
    }
    listing.module();
    if listing.t.full {
        Err(ListingTooLong { limit }.into())
    } else {
        Ok(listing.t.out)
    }
}

/// State of the printer.
struct Listing<'m> {
    m: &'m Module,
    t: Text,
    slots: Slots<'m>,
    /// Numbers of the function that is being printed.
    locals: Option<Locals>,
}

impl Listing<'_> {
    fn module(&mut self) {
        let m = self.m;
        if !m.data_layout.is_empty() {
            self.t
                .fmt(format_args!("target datalayout = \"{}\"\n", m.data_layout));
        }
        if !m.triple.is_empty() {
            self.t
                .fmt(format_args!("target triple = \"{}\"\n", m.triple));
        }
        self.types();
        for (i, g) in m.globals.values().enumerate() {
            if i == 0 {
                self.t.push("\n");
            }
            self.global(i, g);
            self.t.push("\n");
        }
        for (i, f) in m.functions.values().enumerate() {
            self.function(m.globals.len() + i, f);
            if self.t.full {
                return;
            }
        }
        if !self.slots.attributes.is_empty() {
            self.t.push("\n");
        }
        for i in 0..self.slots.attributes.len() {
            let group = self.slots.attributes[i] as usize;
            self.t.fmt(format_args!("attributes #{i} = {{ "));
            self.attributes(
                m.attribute_groups.get(group).map_or(&[], |g| &g.attributes),
                true,
                true,
            );
            self.t.push(" }\n");
        }
        self.named_metadata();
        if !self.slots.nodes.is_empty() {
            self.t.push("\n");
        }
        for i in 0..self.slots.nodes.len() {
            let node = self.slots.nodes[i];
            self.t.fmt(format_args!("!{i} = "));
            self.node(node);
            self.t.push("\n");
            if self.t.full {
                return;
            }
        }
    }

    fn types(&mut self) {
        let types = TypeFinder::run(self.m, &self.slots);
        for (i, &ty) in types.iter().enumerate() {
            if i == 0 {
                self.t.push("\n");
            }
            self.ty(ty);
            self.t.push(" = type ");
            self.struct_body(ty);
            self.t.push("\n");
        }
    }

    fn global(&mut self, index: usize, g: &Global) {
        self.global_name(&g.name, index);
        self.t.push(" = ");
        if g.init.is_none() && g.linkage == Linkage::External {
            self.t.push("external ");
        }
        self.linkage(g.linkage);
        self.t.push(match g.thread_local {
            0 => "",
            2 => "thread_local(localdynamic) ",
            3 => "thread_local(initialexec) ",
            4 => "thread_local(localexec) ",
            _ => "thread_local ",
        });
        if g.unnamed_addr {
            self.t.push("unnamed_addr ");
        }
        let address_space = match self.m.types.get(g.ptr_ty) {
            Some(Type::Pointer { address_space, .. }) => *address_space,
            _ => g.address_space,
        };
        if address_space != 0 {
            self.t.fmt(format_args!("addrspace({address_space}) "));
        }
        if g.externally_initialized {
            self.t.push("externally_initialized ");
        }
        self.t
            .push(if g.is_const { "constant " } else { "global " });
        self.ty(g.ty);
        if let Some(init) = g.init {
            self.t.push(" ");
            self.value(None, init);
        }
        if let Some(section) = g
            .section
            .checked_sub(1)
            .and_then(|s| self.m.sections.get(s as usize))
        {
            self.t.push(", section ");
            self.t.quoted(section.as_bytes());
        }
        if g.align != 0 {
            self.t.fmt(format_args!(", align {}", g.align));
        }
    }

    fn linkage(&mut self, linkage: Linkage) {
        self.t.push(match linkage {
            Linkage::External => "",
            Linkage::Internal => "internal ",
            Linkage::Private => "private ",
            // LLVM's encoding in bitcode (`getEncodedLinkage`), which the reader keeps.
            Linkage::Other(code) => match code {
                1 | 16 => "weak ",
                2 => "appending ",
                4 | 18 => "linkonce ",
                5 => "dllimport ",
                6 => "dllexport ",
                7 => "extern_weak ",
                8 => "common ",
                10 | 17 => "weak_odr ",
                11 | 19 => "linkonce_odr ",
                12 => "available_externally ",
                _ => "external ",
            },
        });
    }

    /// Attributes separated by spaces. `strings`: with the textual ones; `group`: in the syntax of
    /// an attribute group.
    fn attributes(&mut self, attributes: &[Attribute], strings: bool, group: bool) {
        let mut first = true;
        for a in attributes {
            if matches!(a, Attribute::String(..)) && !strings {
                continue;
            }
            if !std::mem::take(&mut first) {
                self.t.push(" ");
            }
            match a {
                Attribute::Enum(kind) => self.t.push(attribute_name(*kind)),
                Attribute::Int(kind @ (1 | 25), value) if group => self
                    .t
                    .fmt(format_args!("{}={value}", attribute_name(*kind))),
                Attribute::Int(1, value) => self.t.fmt(format_args!("align {value}")),
                Attribute::Int(kind, value) => self
                    .t
                    .fmt(format_args!("{}({value})", attribute_name(*kind))),
                Attribute::String(key, value) => {
                    self.t.quoted(key.as_bytes());
                    if let Some(value) = value.as_ref().filter(|v| !v.is_empty()) {
                        self.t.push("=");
                        self.t.quoted(value.as_bytes());
                    }
                }
            }
        }
    }

    /// Writes `; Function Attrs:` above a function: those without text.
    fn attribute_comment(&mut self, f: &Function) {
        let Some((_, attributes)) = self
            .slots
            .attributes_of(f.attributes, slots::FUNCTION_INDEX)
        else {
            return;
        };
        if attributes
            .iter()
            .any(|a| !matches!(a, Attribute::String(..)))
        {
            self.t.push("; Function Attrs: ");
            self.attributes(attributes, false, false);
            self.t.push("\n");
        }
    }

    fn named_metadata(&mut self) {
        let m = self.m;
        for (i, (name, operands)) in m.metadata.named.iter().enumerate() {
            if i == 0 {
                self.t.push("\n");
            }
            self.metadata_name(name);
            self.t.push(" = !{");
            for (i, &id) in operands.iter().enumerate() {
                self.comma(i);
                self.metadata(None, id);
            }
            self.t.push("}\n");
        }
    }

    /// Writes `!name` with all but identifier characters escaped.
    fn metadata_name(&mut self, name: &str) {
        self.t.push("!");
        for (i, b) in name.bytes().enumerate() {
            if b.is_ascii_alphabetic()
                || matches!(b, b'-' | b'$' | b'.' | b'_')
                || i > 0 && b.is_ascii_digit()
            {
                self.t.char(char::from(b));
            } else {
                self.t.fmt(format_args!("\\{b:02X}"));
            }
        }
    }
}

/// Returns the name of an attribute by its number in bitcode (`AttributeKindCodes` of LLVM 3.7).
fn attribute_name(kind: u64) -> &'static str {
    const NAMES: &str = "\
        none align alwaysinline byval inlinehint inreg minsize naked nest noalias nobuiltin nocapture \
        noduplicate noimplicitfloat noinline nonlazybind noredzone noreturn nounwind optsize readnone \
        readonly returned returns_twice signext alignstack ssp sspreq sspstrong sret sanitize_address \
        sanitize_thread sanitize_memory uwtable zeroext builtin cold optnone inalloca nonnull \
        jumptable dereferenceable dereferenceable_or_null convergent safestack argmemonly";
    let index = usize::try_from(kind).unwrap_or(usize::MAX);
    NAMES.split(' ').nth(index).unwrap_or("unknown")
}
