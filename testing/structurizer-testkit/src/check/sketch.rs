//! A function as the words of its text, which are easy to cut. [`Sketch::build`] repairs the
//! function after a cut: operands of phis, and uses of values that are no longer defined.

use std::collections::{BTreeMap, BTreeSet};

use trellis_structurizer::ir::Function;
use trellis_structurizer::text::{parse, print};

/// Payloads of the constants that replace removed values are counted from here.
const STAND_INS: usize = 2_000_000;

/// Words of a line.
pub(super) type Line = Vec<String>;

/// A function; block 0 is the entry.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// A line that defines each value as a constant: its own, or one for when the value is cut.
    constants: BTreeMap<String, String>,
    pub(super) blocks: Vec<Part>,
    /// True if a block is kept even without predecessors.
    pub(super) roots: Vec<bool>,
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Phis, instructions, the hint of a loop, a convergence region.
    pub(super) lines: Vec<Line>,
    /// The terminator.
    pub(super) end: Line,
}

pub(super) fn words(line: &str) -> Line {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Returns the targets of a terminator, as often as they are there.
pub(super) fn targets(end: &[String]) -> Vec<usize> {
    let target = |word: &String| word.rsplit('=').next()?.strip_prefix('b')?.parse().ok();
    end.iter().filter_map(target).collect()
}

pub(super) fn is_phi(line: &[String]) -> bool {
    line.get(2).is_some_and(|word| word == "phi")
}

/// Returns the operands of a phi: predecessors and values.
pub(super) fn operands(phi: &[String]) -> impl Iterator<Item = (&str, &str)> {
    let value = |word: &'_ String| word.trim_end_matches(']').len();
    phi[5..]
        .chunks_exact(2)
        .map(move |two| (&two[0][1..], &two[1][..value(&two[1])]))
}

impl Sketch {
    /// Returns the sketch of a function; with `all` each block is a root.
    pub(super) fn of(func: &Function, all: bool) -> Self {
        let mut sketch = Sketch {
            constants: BTreeMap::new(),
            blocks: Vec::new(),
            roots: vec![all; func.num_blocks()],
        };
        for line in print(func).lines() {
            let line_words = words(line);
            if line.ends_with(':') {
                let (lines, end) = (Vec::new(), words("unreachable"));
                sketch.blocks.push(Part { lines, end });
            } else if let Some(part) = sketch.blocks.last_mut() {
                part.lines.push(line_words);
            } else {
                sketch
                    .constants
                    .insert(line_words[0].clone(), line.to_owned());
            }
        }
        for part in &mut sketch.blocks {
            part.end = part.lines.pop().unwrap_or_default();
            for line in &part.lines {
                let ty = match line.iter().position(|word| word == ":") {
                    Some(at) => line[at + 1].as_str(),
                    None => "bool",
                };
                let results = line
                    .iter()
                    .take_while(|word| *word != "=" && word.starts_with('%'));
                for result in results.filter(|_| line.iter().any(|word| word == "=")) {
                    let (name, ty) = result.split_once(':').unwrap_or((result, ty));
                    let payload = STAND_INS + name[2..].parse::<usize>().unwrap_or(0);
                    let constant = format!("{name} = const {payload} : {ty}");
                    sketch.constants.insert(name.to_owned(), constant);
                }
            }
        }
        sketch
    }

    /// Returns a measure that each accepted change lowers.
    pub(super) fn size(&self) -> usize {
        let part = |part: &Part| {
            let end = match part.end[0].as_str() {
                "break" => 3,
                "switch" => 1,
                _ => 0,
            };
            let lines = part.lines.iter().map(|line| 3 + line.len());
            10 + 4 * targets(&part.end).len() + part.end.len() + end + lines.sum::<usize>()
        };
        self.blocks.iter().map(part).sum()
    }

    /// Appends a block to its predecessor if that is the only one and only branches there.
    pub(super) fn join(&mut self, block: usize, next: usize) {
        let only = |pred: usize| pred == block || !targets(&self.blocks[pred].end).contains(&next);
        if next == 0 || next == block || !(0..self.blocks.len()).all(only) {
            return;
        }
        let cut = Part {
            lines: Vec::new(),
            end: words("unreachable"),
        };
        let Part { lines, end } = std::mem::replace(&mut self.blocks[next], cut);
        let (phis, rest): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(|line| is_phi(line));
        self.blocks[block]
            .lines
            .extend(rest.into_iter().filter(|line| line[0] != "region"));
        self.blocks[block].end = end;
        let renamed: Vec<(&str, &str)> = phis
            .iter()
            .filter_map(|phi| Some((phi[0].as_str(), operands(phi).next()?.1)))
            .collect();
        let (old, new) = (format!("[b{next}"), format!("[b{block}"));
        for part in &mut self.blocks {
            for word in part.lines.iter_mut().chain([&mut part.end]).flatten() {
                if *word == old {
                    word.clone_from(&new);
                }
                // A phi may read another one that is removed, but not in a cycle: there is no path
                // back to the first.
                for _ in 0..=renamed.len() {
                    let name = word.trim_end_matches(']');
                    if let Some((_, to)) = renamed.iter().find(|(from, _)| *from == name) {
                        *word = format!("{to}{}", &word[name.len()..]);
                    }
                }
            }
        }
    }

    /// Splits each block in a convergence region: it gets an edge to the loop's header that is never
    /// taken, and a fresh block gets its end.
    pub(super) fn split_regions(&mut self) {
        for block in 0..self.blocks.len() {
            let lines = &mut self.blocks[block].lines;
            let Some(at) = lines.iter().position(|line| line[0] == "region") else {
                continue;
            };
            let header = lines.remove(at).pop().unwrap_or_default();
            let rest = self.blocks.len();
            let end = words(&format!("break b{rest} {header}"));
            let end = std::mem::replace(&mut self.blocks[block].end, end);
            let (old, new) = (format!("[b{block}"), format!("[b{rest}"));
            for to in targets(&end) {
                for word in self.blocks[to].lines.iter_mut().flatten() {
                    if *word == old {
                        word.clone_from(&new);
                    }
                }
            }
            for to in targets(&[header]) {
                for phi in self.blocks[to].lines.iter_mut().filter(|line| is_phi(line)) {
                    let own = format!("{}]", phi[0]);
                    phi.extend([old.clone(), own]);
                }
            }
            self.blocks.push(Part {
                lines: Vec::new(),
                end,
            });
            self.roots.push(self.roots[block]);
        }
    }

    /// Returns the blocks that the entry or another root reaches.
    fn reached(&self) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let is_root = |&block: &usize| block == 0 || self.roots[block];
        let mut stack: Vec<usize> = (0..seen.len()).filter(is_root).collect();
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                stack.extend(targets(&self.blocks[block].end));
            }
        }
        seen
    }

    /// Returns the function, without blocks that no root reaches; none if a cut made no text of one. A
    /// value that is defined nowhere becomes a constant. A phi gets its first operand for a new
    /// predecessor.
    pub(super) fn build(&self) -> Option<Function> {
        let seen = self.reached();
        let kept: Vec<usize> = (0..seen.len()).filter(|&block| seen[block]).collect();
        let mut lines: Vec<Line> = Vec::new();
        for &block in &kept {
            let part = &self.blocks[block];
            lines.push(vec![format!("b{block}:")]);
            for line in &part.lines {
                let mut line = line.clone();
                if is_phi(&line) {
                    let own = (line[0].clone(), line[0].clone());
                    let old: Vec<(String, String)> = operands(&line)
                        .map(|(a, b)| (a.to_owned(), b.to_owned()))
                        .collect();
                    line.truncate(5);
                    let is_pred =
                        |&&pred: &&usize| targets(&self.blocks[pred].end).contains(&block);
                    for pred in kept.iter().filter(is_pred) {
                        let pred = format!("b{pred}");
                        let same = old.iter().find(|operand| operand.0 == pred);
                        let (_, value) = same.or(old.first()).unwrap_or(&own);
                        line.extend([format!("[{pred}"), format!("{value}]")]);
                    }
                }
                let is_cut = |to: &usize| !seen[*to];
                if line[0] != "region" || !targets(&line).iter().any(is_cut) {
                    lines.push(line);
                }
            }
            lines.push(part.end.clone());
        }
        let name = |word: &str| word.split([':', ']']).next().unwrap_or("").to_owned();
        let is_value = |word: &&String| word.starts_with('%');
        let defines = |line: &&Line| line.iter().any(|word| word == "=");
        let defined: BTreeSet<String> = (lines.iter().filter(defines))
            .flat_map(|line| line.iter().take_while(is_value))
            .map(|word| name(word))
            .collect();
        let used: BTreeSet<String> = lines
            .iter()
            .flatten()
            .filter(is_value)
            .map(|word| name(word))
            .collect();
        let cut = used.difference(&defined);
        let constants = cut.filter_map(|value| self.constants.get(value).cloned());
        let text = constants.chain(lines.iter().map(|line| line.join(" ")));
        parse(&text.collect::<Vec<_>>().join("\n")).ok()
    }
}
