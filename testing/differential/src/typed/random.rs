//! Random statements, and the program of a seed.

use std::fmt::Write as _;

use structurizer_testkit::generate::Rng;

use super::expressions::{Expressions, Kind, VARIABLES, unsigned, variable};
use super::long::Long;
use super::resources::{DECLARATIONS, NARROW, STRUCTURES, WIDE};
use super::{Program, SLOTS, Statement};
use crate::program::Compilation;

/// Deepest nesting.
const DEPTH: usize = 3;

/// Groupshared counters, and counters of each buffer: one for each operation.
const OPERATIONS: [&str; 5] = ["Add", "Xor", "Or", "Max", "Min"];

const LEVELS: [&str; 4] = ["-O3", "-O1", "-O0", "-Od"];

/// Returns the program of a seed.
pub fn generate(seed: u64) -> Program {
    random(seed, false, false)
}

/// Returns the program of a seed that also has vectors of more than four components (shader model
/// 6.9).
pub fn generate_long(seed: u64) -> Program {
    random(seed, true, false)
}

/// Returns the program of a seed, without features that FXC lacks: types of 16 bits, integers of
/// 64, waves, and typed loads of vectors.
pub fn generate_for_fxc(seed: u64) -> Program {
    random(seed, false, true)
}

fn random(seed: u64, long: bool, fxc: bool) -> Program {
    // Neighbouring seeds of the generator have much in common at first.
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x7e57_da7a);
    rng.next_u64();
    let (narrow, wide) = (rng.chance(40) && !fxc, rng.chance(40));
    let mut kinds = vec![Kind::F32, Kind::I32, Kind::U32, Kind::F32, Kind::U32];
    if narrow {
        kinds.extend([Kind::F16, Kind::I16, Kind::U16]);
    }
    if wide {
        kinds.push(Kind::F64);
    }
    let wide = wide && !fxc;
    if wide {
        kinds.extend([Kind::I64, Kind::U64]);
    }
    let first = rng.below(LEVELS.len());
    let other = (first + 1 + rng.below(LEVELS.len() - 1)) % LEVELS.len();
    let lanes = [8, 16, 32, 64][rng.below(4)];
    let mut make = Make {
        kinds,
        narrow,
        wide,
        fxc,
        matrices: rng.chance(40),
        textures: rng.chance(50),
        waves: rng.chance(15) && !fxc,
        lanes,
        budget: 8 + rng.below(24),
        slots: 0,
        loops: 0,
        shared: Vec::new(),
        shared_bytes: 0,
        long: None,
        rng,
    };
    let long_declarations = if long {
        make.textures &= make.rng.chance(40);
        make.lanes = make.lanes.min(32);
        make.begin_long()
    } else {
        String::new()
    };
    let mut body = make.block(0, true, 12);
    while make.budget > 4 {
        body.extend(make.block(0, true, 6));
    }
    body.extend(make.ends());
    body.extend(make.long_ends());
    let item = |text: &str| {
        text.replace("NARROW", if narrow { NARROW } else { "" })
            .replace("WIDE", if wide { WIDE } else { "" })
    };
    let mut declarations = item(STRUCTURES) + DECLARATIONS + &long_declarations;
    for line in &make.shared {
        let _ = writeln!(declarations, "groupshared {line};");
    }
    declarations.push_str("groupshared uint Totals[5];\n");
    Program {
        seed,
        options: Compilation {
            fxc: false,
            model: if long {
                9
            } else if narrow {
                [2, 5, 6][make.rng.below(3)]
            } else {
                [0, 5, 6][make.rng.below(3)]
            },
            level: LEVELS[first],
            // The default of newer compilers.
            short_circuit: long,
            native16: narrow,
        },
        other_level: LEVELS[other],
        lanes: make.lanes,
        groups: 1 + u32::from(make.rng.chance(30)),
        waves: make.waves,
        long,
        declarations,
        variables: make.variables(),
        body,
    }
}

/// Makes statements.
pub(super) struct Make {
    pub(super) kinds: Vec<Kind>,
    narrow: bool,
    wide: bool,
    fxc: bool,
    matrices: bool,
    textures: bool,
    waves: bool,
    pub(super) lanes: u32,
    /// Statements that may still be made.
    budget: usize,
    /// Slots of the output that were given away.
    slots: u32,
    loops: usize,
    /// Groupshared variables.
    pub(super) shared: Vec<String>,
    /// Bytes of those with long vectors.
    pub(super) shared_bytes: u32,
    /// The long vectors, if it has any.
    pub(super) long: Option<Long>,
    pub(super) rng: Rng,
}

impl Make {
    /// `together`: all threads of the group are here.
    pub(super) fn expressions(&mut self, together: bool) -> Expressions<'_> {
        Expressions {
            rng: &mut self.rng,
            kinds: &self.kinds,
            fxc: self.fxc,
            matrices: self.matrices,
            textures: self.textures,
            waves: self.waves && together,
            address: false,
            long: self.long.as_ref(),
            function: None,
        }
    }

    fn kind(&mut self) -> Kind {
        self.kinds[self.rng.below(self.kinds.len())]
    }

    /// Declares the variables of each type, a structure, an array and matrices.
    fn variables(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut seen = Vec::new();
        for kind in self.kinds.clone() {
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
            for n in 1..=4 {
                for number in 0..VARIABLES {
                    let value = if number == 0 {
                        "(id & 7u)".to_owned()
                    } else {
                        (3 * n + number).to_string()
                    };
                    lines.push(format!(
                        "{0} {1} = ({0})({value});",
                        kind.name(n),
                        variable(kind, n, number)
                    ));
                }
            }
        }
        lines.push("Item item = (Item)0;".to_owned());
        lines.push(
            "float2 array[4] = { float2(1, 2), float2(id & 3u, 4), float2(5, 6), float2(7, 8) };"
                .to_owned(),
        );
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3)] {
            lines.push(format!(
                "float{rows}x{columns} m{rows}{columns} = (float{rows}x{columns})(lane & 3u);"
            ));
        }
        lines.extend(self.long.iter().flat_map(Long::variables));
        // No other thread writes them before the barrier.
        lines.push("if (lane < 5u) Totals[lane] = 0u;".to_owned());
        lines.push("GroupMemoryBarrierWithGroupSync();".to_owned());
        lines
    }

    pub(super) fn record(&mut self, value: &str) -> Statement {
        self.slots = (self.slots + 1) % SLOTS;
        Statement::Simple(format!("Out[id * {SLOTS}u + {}u] = {value};", self.slots))
    }

    /// Records the final values of the variables.
    fn ends(&mut self) -> Vec<Statement> {
        let mut list = Vec::new();
        for kind in [
            Kind::F32,
            Kind::I32,
            Kind::F16,
            Kind::U16,
            Kind::F64,
            Kind::U64,
        ] {
            if !self.kinds.contains(&kind) {
                continue;
            }
            let n = 1 + self.rng.below(4);
            let name = variable(kind, n, 0);
            let part = if n == 1 { name } else { format!("{name}.y") };
            let value = if kind.is_float() {
                format!("asuint((int)({part}))")
            } else {
                format!("(uint)({part})")
            };
            list.push(self.record(&value));
        }
        list.push(self.record("asuint((int)item.f.z) + item.inner[1].c.y + asuint((int)m23[1].z)"));
        list
    }

    fn block(&mut self, depth: usize, together: bool, most: usize) -> Vec<Statement> {
        let mut list = Vec::new();
        for _ in 0..=self.rng.below(most) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            list.push(self.statement(depth, together));
        }
        list
    }

    fn statement(&mut self, depth: usize, together: bool) -> Statement {
        if self.long.is_some() && self.rng.chance(65) {
            return if depth < DEPTH && self.rng.chance(12) {
                self.nested(depth, together)
            } else {
                self.long_statement(together)
            };
        }
        match self.rng.below(100) {
            0..12 if depth < DEPTH => self.nested(depth, together),
            12..24 if together => self.exchange(),
            24..32 => self.atomic(together),
            32..42 => self.structure(together),
            42..52 if self.matrices => self.matrix(together),
            52..58 => self.buffer(together),
            58..64 if self.textures => self.image(together),
            64..80 => self.assignment(together),
            _ => {
                let kind = self.kind();
                let value = self.expressions(together).word(kind, 3);
                self.record(&value)
            }
        }
    }

    fn nested(&mut self, depth: usize, together: bool) -> Statement {
        let number = self.loops;
        match self.rng.below(4) {
            0 => {
                self.loops += 1;
                let count = 1 + self.rng.below(3);
                let attribute = ["", "[loop] ", "[unroll] "][self.rng.below(3)];
                let head = format!(
                    "{attribute}for (uint i{number} = 0u; i{number} < {count}u; i{number}++)"
                );
                Statement::Block(head, self.block(depth + 1, together, 4))
            }
            1 => {
                self.loops += 1;
                let limit = self.expressions(false).index(4, 1);
                let head =
                    format!("[loop] for (uint i{number} = 0u; i{number} < {limit}; i{number}++)");
                Statement::Block(head, self.block(depth + 1, false, 4))
            }
            // The same in all threads.
            2 if together => {
                let bit = self.rng.below(4);
                let head = format!("if ((cu.x >> {bit}u & 1u) == {}u)", self.rng.below(2));
                Statement::Block(head, self.block(depth + 1, true, 4))
            }
            _ => {
                let condition = self.expressions(false).condition(1);
                let attribute = ["", "[branch] "][self.rng.below(2)];
                let head = format!("{attribute}if ({condition})");
                Statement::Block(head, self.block(depth + 1, false, 4))
            }
        }
    }

    fn assignment(&mut self, together: bool) -> Statement {
        let (kind, n) = (self.kind(), 1 + self.rng.below(4));
        let name = variable(kind, n, self.rng.below(VARIABLES));
        let parts = ["x", "yx", "zx", "wxy"];
        let number = self.rng.below(n);
        let mut e = self.expressions(together);
        Statement::Simple(match number {
            0 => format!("{name} = {};", e.kept(kind, n, 3)),
            1 if n == 2 => {
                let index = e.row();
                format!("{name}[{index}] = {};", e.kept(kind, 1, 2))
            }
            _ => format!(
                "{name}.{} = {};",
                parts[number],
                e.kept(kind, parts[number].len(), 2)
            ),
        })
    }

    /// Groupshared memory between barriers.
    fn exchange(&mut self) -> Statement {
        let number = self.shared.len();
        let lanes = self.lanes;
        let other = format!(
            "(lane + {}u) % {lanes}u",
            1 + self.rng.below(lanes as usize - 1)
        );
        let meet = "GroupMemoryBarrierWithGroupSync();";
        let slot = self.rng.below(OPERATIONS.len());
        match self.rng.below(6) {
            0 => {
                self.shared.push(format!("Inner Shared{number}[{lanes}]"));
                let value = self.expressions(true).kept(Kind::F32, 2, 2);
                Statement::Simple(format!(
                    "item.inner[0].b = {value};\nShared{number}[lane] = item.inner[0];\n{meet}\n\
                     item.inner[1] = Shared{number}[{other}];\n{meet}"
                ))
            }
            1 if self.matrices => {
                self.shared
                    .push(format!("row_major float2x3 Shared{number}[{lanes}]"));
                Statement::Simple(format!(
                    "Shared{number}[lane] = m23;\n{meet}\nm32 = transpose(Shared{number}[{other}]);\n{meet}"
                ))
            }
            2 => Statement::Simple(format!("{meet}\nuint_0 = Totals[{slot}];\n{meet}")),
            _ => {
                let (kind, n) = (self.kind(), 1 + self.rng.below(4));
                self.shared
                    .push(format!("{} Shared{number}[{lanes}]", kind.name(n)));
                let value = self.expressions(true).kept(kind, n, 2);
                let name = variable(kind, n, self.rng.below(VARIABLES));
                Statement::Simple(format!(
                    "Shared{number}[lane] = {value};\n{meet}\n{name} = Shared{number}[{other}];\n{meet}"
                ))
            }
        }
    }

    fn atomic(&mut self, together: bool) -> Statement {
        let slot = self.rng.below(OPERATIONS.len());
        let operation = OPERATIONS[slot];
        let choice = self.rng.below(7);
        let textures = self.textures;
        let mut e = self.expressions(together);
        let value = e.word(Kind::U32, 2);
        Statement::Simple(match choice {
            0 | 1 => format!("Interlocked{operation}(Totals[{slot}], {value});"),
            2 => format!("Bytes.Interlocked{operation}({}u, {value});", 4 * slot),
            3 => format!("Interlocked{operation}(Counts[{slot}], {value});"),
            4 if textures => format!("Interlocked{operation}(Marks[uint2({slot}, 1)], {value});"),
            // Only this thread writes there: the old value is known.
            5 => format!(
                "InterlockedCompareExchange(Own[id], {}u, {value}, uint_1);",
                e.rng.below(2) * 7
            ),
            6 => format!("InterlockedExchange(Own[id], {value}, uint_1);"),
            _ => format!("InterlockedAdd(Own[id], {value}, uint_0);"),
        })
    }

    fn structure(&mut self, together: bool) -> Statement {
        let (choice, narrow, wide) = (self.rng.below(12), self.narrow, self.wide);
        let mut e = self.expressions(together);
        let half = e.row();
        Statement::Simple(match choice {
            0 => format!("item = In[{}];\nitem.f = trunc(item.f);", e.index(64, 1)),
            1 => format!("item.u = {};", e.kept(Kind::U32, 4, 2)),
            2 => format!("item.inner[{half}].b = {};", e.kept(Kind::F32, 2, 2)),
            3 => format!("item.inner[{half}].c.zy = {};", e.kept(Kind::U32, 2, 2)),
            4 => format!(
                "item.inner[1] = item.inner[0];\nitem.inner[0].a = {};",
                e.kept(Kind::I32, 1, 2)
            ),
            5 => format!("item.rm[{half}] = {};", e.kept(Kind::F32, 3, 2)),
            6 => format!("item.f.y = {};", e.kept(Kind::F32, 1, 2)),
            7 if narrow => format!(
                "item.h = {};\nitem.s.x = {};",
                e.kept(Kind::F16, 3, 2),
                e.kept(Kind::I16, 1, 1)
            ),
            8 if wide => format!(
                "item.l = {};\nitem.d = {};",
                e.kept(Kind::U64, 2, 2),
                e.kept(Kind::F64, 1, 1)
            ),
            9 => format!("array[{}] = {};", e.index(4, 1), e.kept(Kind::F32, 2, 2)),
            10 => format!(
                "float3_0 = item.rm[{half}] + item.f * 0;\nint2_1 = item.cm[{}];",
                e.index(2, 1)
            ),
            _ => format!("item.cm = {};", "int3x2(int_0, int_1, lane, 4, 5, uint_0)"),
        })
    }

    fn matrix(&mut self, together: bool) -> Statement {
        let choice = self.rng.below(8);
        let mut e = self.expressions(together);
        Statement::Simple(match choice {
            0 => "m33 = (float3x3)((int3x3)(mul(m32, m23)) & 63);".to_owned(),
            1 => "m23 = (float2x3)((int2x3)(transpose(m32) + m23) & 63);".to_owned(),
            2 => "m22 = (float2x2)((int2x2)(mul(m23, m32) * 2 - m22) & 63);".to_owned(),
            3 => format!("m33[{}] = {};", e.row(), e.kept(Kind::F32, 3, 2)),
            4 => format!("m32._m00_m21 = {};", e.kept(Kind::F32, 2, 2)),
            5 => format!("m23[{}].yz = {};", e.row(), e.kept(Kind::F32, 2, 2)),
            6 => "m33 = (float3x3)((int3x3)(crm + m33) & 63);\nitem.rm = (float2x3)m33;".to_owned(),
            _ => "m23 = (float2x3)((int2x3)(ccm + item.rm) & 63);".to_owned(),
        })
    }

    /// Memory of the thread's own.
    fn buffer(&mut self, together: bool) -> Statement {
        let (choice, narrow, wide) = (self.rng.below(7), self.narrow, self.wide);
        let mut e = self.expressions(together);
        let half = e.row();
        let whole = |n: usize, text: &str| unsigned(Kind::F32, n, text);
        Statement::Simple(match choice {
            0 => format!(
                "item.f = {};\nItems[id].u = item.u;\nItems[id].f = item.f;",
                whole(3, "item.f")
            ),
            1 => {
                let value = e.kept(Kind::F32, 2, 2);
                format!("Items[id].inner[{half}].b = {};", whole(2, &value))
            }
            2 => format!(
                "Items[id].inner[1].c.y = {};\nuint3_1 = Items[id].inner[1].c;",
                e.kept(Kind::U32, 1, 2)
            ),
            3 => {
                let value = e.kept(Kind::F32, 3, 2);
                format!(
                    "Items[id].rm[{half}] = {};\nfloat3_1 = trunc(Items[id].rm[{half}]);",
                    whole(3, &value)
                )
            }
            4 => format!("Bytes.Store2(64u + 8u * id, {});", e.kept(Kind::U32, 2, 2)),
            5 if wide => format!(
                "Items[id].l = {};\nuint64_t2_0 = Items[id].l;",
                e.kept(Kind::U64, 2, 2)
            ),
            6 if narrow => format!(
                "Items[id].s = {};\nint16_t2_0 = Items[id].s;",
                e.kept(Kind::I16, 2, 2)
            ),
            _ => format!("Counts[16u + id] = {};", e.kept(Kind::U32, 1, 2)),
        })
    }

    fn image(&mut self, together: bool) -> Statement {
        let choice = self.rng.below(3);
        let mut e = self.expressions(together);
        let own = "uint2(id & 15u, id >> 4u)";
        Statement::Simple(match choice {
            0 => {
                let value = e.kept(Kind::F32, 4, 2);
                format!("Image[{own}] = {};", unsigned(Kind::F32, 4, &value))
            }
            1 => format!("Marks[{own} + uint2(0, 8)] = {};", e.kept(Kind::U32, 1, 2)),
            _ => "Tex.GetDimensions(uint_0, uint_1);\nuint2_0 = uint2(uint_0, uint_1);".to_owned(),
        })
    }
}
