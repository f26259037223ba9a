//! A module's words, as a debugger reads them.

use std::collections::HashMap;

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op};

/// An instruction: opcode, and the words after the first.
pub(crate) type Inst<'w> = (Op, &'w [u32]);

/// Instructions of debug information, constants and strings by their ids.
pub(crate) struct Module<'w> {
    pub(crate) insts: Vec<Inst<'w>>,
    set: u32,
    debug: HashMap<u32, (DebugOp, &'w [u32])>,
    strings: HashMap<u32, String>,
    constants: HashMap<u32, u32>,
}

/// Returns the text of a string.
pub(crate) fn text(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    String::from_utf8(bytes).unwrap()
}

impl<'w> Module<'w> {
    pub(crate) fn new(words: &'w [u32]) -> Self {
        let mut this = Self {
            insts: Vec::new(),
            set: 0,
            debug: HashMap::new(),
            strings: HashMap::new(),
            constants: HashMap::new(),
        };
        let mut rest = &words[5..];
        while let [first, after @ ..] = rest {
            let (operands, next) = after.split_at((first >> 16) as usize - 1);
            let op = Op::from_u32(first & 0xFFFF).unwrap();
            this.read(op, operands);
            this.insts.push((op, operands));
            rest = next;
        }
        this
    }

    fn read(&mut self, op: Op, operands: &'w [u32]) {
        match (op, operands) {
            (Op::ExtInstImport, [id, name @ ..])
                if text(name) == "NonSemantic.Shader.DebugInfo.100" =>
            {
                self.set = *id;
            }
            (Op::String, [id, rest @ ..]) => {
                self.strings.insert(*id, text(rest));
            }
            (Op::Constant, [_, id, value]) => {
                self.constants.insert(*id, *value);
            }
            (Op::ExtInst, [_, id, ..]) => {
                if let Some((op, operands)) = self.debug_inst((op, operands)) {
                    self.debug.insert(*id, (op, operands));
                }
            }
            _ => {}
        }
    }

    /// Returns the instruction of debug information that an instruction is.
    pub(crate) fn debug_inst(&self, (op, operands): Inst<'w>) -> Option<(DebugOp, &'w [u32])> {
        match (op, operands) {
            (Op::ExtInst, &[_, _, set, number, ref operands @ ..]) if set == self.set => {
                Some((DebugOp::from_u32(number).unwrap(), operands))
            }
            _ => None,
        }
    }

    pub(crate) fn debug(&self, id: u32) -> (DebugOp, &'w [u32]) {
        self.debug[&id]
    }

    pub(crate) fn find(&self, id: u32) -> Option<(DebugOp, &'w [u32])> {
        self.debug.get(&id).copied()
    }

    pub(crate) fn string(&self, id: u32) -> &str {
        &self.strings[&id]
    }

    pub(crate) fn number(&self, id: u32) -> u32 {
        self.constants[&id]
    }

    /// Returns the bits of a 32-bit constant, if an id is one.
    pub(crate) fn constant(&self, id: u32) -> Option<u32> {
        self.constants.get(&id).copied()
    }

    /// Returns the name of a `DebugSource`.
    pub(crate) fn source_name(&self, id: u32) -> &str {
        let (op, operands) = self.debug(id);
        assert_eq!(op, DebugOp::DebugSource);
        self.string(operands[0])
    }

    /// Returns all sources: name and text.
    pub(crate) fn sources(&self) -> Vec<(String, String)> {
        let mut sources: Vec<(String, String)> = Vec::new();
        for &inst in &self.insts {
            match self.debug_inst(inst) {
                Some((DebugOp::DebugSource, &[name, text])) => {
                    sources.push((self.string(name).to_owned(), self.string(text).to_owned()));
                }
                Some((DebugOp::DebugSourceContinued, &[text])) => {
                    sources.last_mut().unwrap().1.push_str(self.string(text));
                }
                _ => {}
            }
        }
        sources
    }

    /// Returns the name of a namespace.
    pub(crate) fn namespace(&self, scope: u32) -> String {
        let (op, operands) = self.debug(scope);
        assert_eq!(op, DebugOp::DebugLexicalBlock);
        self.string(operands[4]).to_owned()
    }

    /// Returns the name of the function that a scope is in, and its blocks by their lines.
    pub(crate) fn function_of(&self, scope: u32) -> String {
        let mut scope = scope;
        let mut blocks = String::new();
        loop {
            let (op, operands) = self.debug(scope);
            match op {
                DebugOp::DebugLexicalBlock => {
                    let column = self.number(operands[2]);
                    blocks.insert_str(0, &format!("{{{}:{column}}}", self.number(operands[1])));
                    scope = operands[3];
                }
                DebugOp::DebugFunction => return self.string(operands[0]).to_owned() + &blocks,
                DebugOp::DebugCompilationUnit => return "the file".to_owned() + &blocks,
                other => panic!("{other:?} as a scope"),
            }
        }
    }
}
