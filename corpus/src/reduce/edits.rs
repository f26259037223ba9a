//! The passes of a reduction.

use trellis_dxil::frontend::module::Module;

use super::bitstream::{Block, Item, Record};
use super::body::Body;
use super::program::Shader;
use super::{Reduction, remove};

/// LLVM's block ids.
const MODULE: u32 = 8;
pub(super) const FUNCTION: u32 = 12;
const SYMBOLS: u32 = 14;
const METADATA: u32 = 15;
const TYPES: u32 = 17;

/// A function of a module: `[type, calling convention, is declaration, …]`.
const MODULE_FUNCTION: u32 = 8;
/// Types that are not: the number of types, and a name.
const NOT_TYPES: [u32; 2] = [1, 19];
/// Metadata: a string, a node, a name with its node after it.
const STRING: u32 = 1;
const VALUE: u32 = 2;
const NODE: u32 = 3;
const NAME: u32 = 4;
const DISTINCT_NODE: u32 = 5;
const KIND: u32 = 6;
const NAMED_NODE: u32 = 10;

/// The passes, in their order: passes that remove most are first.
pub(super) const PASSES: [fn(&mut Reduction<'_>); 7] = [
    parts,
    bodies,
    control_flow,
    instructions,
    metadata,
    unused_metadata,
    records,
];

fn parts(reduction: &mut Reduction<'_>) {
    let all: Vec<usize> = (0..reduction.best.parts()).collect();
    let start = reduction.best.clone();
    remove(&all, |dropped| {
        reduction.attempt("parts", start.without_parts(dropped))
    });
}

/// Returns the module block.
fn module(shader: &mut Shader) -> Option<&mut Block> {
    shader.blocks.iter_mut().find(|block| block.id == MODULE)
}

/// Makes declarations of functions.
fn bodies(reduction: &mut Reduction<'_>) {
    let start = reduction.best.clone();
    let count = function_blocks(&start).len();
    let all: Vec<usize> = (0..count).collect();
    remove(&all, |dropped| {
        let mut shader = start.clone();
        if let Some(module) = module(&mut shader) {
            without_bodies(module, dropped);
        }
        reduction.attempt("functions", shader)
    });
}

/// Bodies are in the order of the functions that have one.
fn without_bodies(module: &mut Block, dropped: &[usize]) {
    let mut number = 0;
    for item in &mut module.items {
        if let Item::Record(record) = item
            && record.code == MODULE_FUNCTION
            && let Some(is_declaration @ 0) = record.fields.get_mut(2)
        {
            *is_declaration = u64::from(dropped.contains(&number));
            number += 1;
        }
    }
    let mut number = 0;
    module.items.retain(|item| match item {
        Item::Block(block) if block.id == FUNCTION => {
            number += 1;
            !dropped.contains(&(number - 1))
        }
        _ => true,
    });
}

fn function_blocks(shader: &Shader) -> Vec<&Block> {
    let modules = shader.blocks.iter().filter(|block| block.id == MODULE);
    modules.flat_map(|module| module.blocks(FUNCTION)).collect()
}

/// Returns the shader with another block for a function.
fn with_function(shader: &Shader, number: usize, block: Block) -> Shader {
    let mut shader = shader.clone();
    let items = module(&mut shader)
        .into_iter()
        .flat_map(|module| &mut module.items);
    let mut functions = items.filter_map(|item| match item {
        Item::Block(block) if block.id == FUNCTION => Some(block),
        _ => None,
    });
    if let Some(old) = functions.nth(number) {
        *old = block;
    }
    shader
}

/// Reads a function of the best shader; `None` if it has no form that can be edited.
fn body(shader: &Shader, number: usize) -> Option<Body> {
    let bitcode = super::bitstream::write(&shader.blocks);
    let module: Module = trellis_dxil::frontend::bitcode::read_module(&bitcode, 0).ok()?;
    let mut defined = module.functions.values().filter(|f| !f.is_declaration);
    let function = defined.nth(number)?;
    let outer = shader.blocks.iter().find(|block| block.id == MODULE)?;
    let types = outer.blocks(TYPES).flat_map(Block::records);
    let types = types
        .filter(|record| !NOT_TYPES.contains(&record.code))
        .count();
    let block = outer.blocks(FUNCTION).nth(number)?;
    Body::read(&module, function, block, types as u64)
}

/// Drops debug locations and the like, and removes edges.
fn control_flow(reduction: &mut Reduction<'_>) {
    for number in 0..function_blocks(&reduction.best).len() {
        let start = reduction.best.clone();
        let Some(whole) = body(&start, number) else {
            continue;
        };
        let mut tidy = whole.clone();
        tidy.tidy();
        for body in [&tidy, &whole] {
            let shader = with_function(&start, number, body.write(FUNCTION));
            if reduction.attempt("debug information of functions", shader) {
                break;
            }
        }
        let start = reduction.best.clone();
        let Some(whole) = body(&start, number) else {
            continue;
        };
        remove(&whole.edges(), |dropped| {
            let Some(body) = whole.without_edges(dropped) else {
                return false;
            };
            let shader = with_function(&start, number, body.write(FUNCTION));
            reduction.attempt("control flow", shader)
        });
    }
}

fn instructions(reduction: &mut Reduction<'_>) {
    for number in 0..function_blocks(&reduction.best).len() {
        let start = reduction.best.clone();
        let Some(whole) = body(&start, number) else {
            continue;
        };
        remove(&whole.instructions(), |dropped| {
            let body = whole.without(dropped);
            let shader = with_function(&start, number, body.write(FUNCTION));
            reduction.attempt("instructions", shader)
        });
    }
}

/// A place in a block: the record, and the field of it.
type FieldOf = (usize, usize);

/// Removes named metadata, operands of nodes, and strings.
fn metadata(reduction: &mut Reduction<'_>) {
    let names = |record: &Record| usize::from(record.code == NAME);
    edit_metadata(reduction, "named metadata", names, |items, dropped| {
        // A name is followed by its node.
        let is = |place: usize| dropped.iter().any(|(record, _)| *record == place);
        drop_items(items, |index| is(index) || index > 0 && is(index - 1));
    });
    let operands = |record: &Record| match record.code {
        NODE => record.fields.len(),
        _ => 0,
    };
    edit_metadata(reduction, "metadata", operands, |items, dropped| {
        for (index, item) in items.iter_mut().enumerate() {
            if let Item::Record(record) = item {
                drop_items(&mut record.fields, |field| {
                    dropped.contains(&(index, field))
                });
            }
        }
    });
    let strings = |record: &Record| usize::from(record.code == STRING && !record.fields.is_empty());
    edit_metadata(reduction, "strings", strings, |items, dropped| {
        for (index, _) in dropped {
            if let Some(Item::Record(record)) = items.get_mut(*index) {
                record.fields.clear();
            }
        }
    });
}

/// Drops items by their indices.
fn drop_items<T>(items: &mut Vec<T>, mut is_dropped: impl FnMut(usize) -> bool) {
    let mut indices = 0..;
    items.retain(|_| !indices.next().is_some_and(&mut is_dropped));
}

/// Edits the block of metadata; `count` is how many places of a record can be dropped.
fn edit_metadata(
    reduction: &mut Reduction<'_>,
    pass: &'static str,
    count: impl Fn(&Record) -> usize,
    edit: impl Fn(&mut Vec<Item>, &[FieldOf]),
) {
    let mut start = reduction.best.clone();
    let Some(block) = metadata_block(&mut start) else {
        return;
    };
    let mut all: Vec<FieldOf> = Vec::new();
    for (index, item) in block.items.iter().enumerate() {
        if let Item::Record(record) = item {
            all.extend((0..count(record)).map(|field| (index, field)));
        }
    }
    remove(&all, |dropped| {
        let mut shader = start.clone();
        if let Some(block) = metadata_block(&mut shader) {
            edit(&mut block.items, dropped);
        }
        reduction.attempt(pass, shader)
    });
}

/// Drops metadata that no named metadata leads to, if there are only the records that shaders without debug
/// information have. Where functions refer to metadata, the condition does not hold as a rule.
fn unused_metadata(reduction: &mut Reduction<'_>) {
    let mut shader = reduction.best.clone();
    let Some(block) = metadata_block(&mut shader) else {
        return;
    };
    let Some(items) = collected(&block.items) else {
        return;
    };
    block.items = items;
    reduction.attempt("unused metadata", shader);
}

/// Returns the records without unused nodes; operands of nodes are numbers plus 1, and 0 is none.
fn collected(items: &[Item]) -> Option<Vec<Item>> {
    let mut nodes: Vec<&Record> = Vec::new();
    let mut pending: Vec<u64> = Vec::new();
    for item in items {
        match item {
            Item::Record(record) => match record.code {
                STRING | VALUE | NODE | DISTINCT_NODE => nodes.push(record),
                NAMED_NODE => pending.extend(&record.fields),
                NAME | KIND => {}
                _ => return None,
            },
            Item::Block(_) => return None,
        }
    }
    let mut used = vec![false; nodes.len()];
    while let Some(number) = pending.pop() {
        let index = usize::try_from(number).ok()?;
        let node = nodes.get(index)?;
        if !std::mem::replace(&mut used[index], true) && matches!(node.code, NODE | DISTINCT_NODE) {
            let operands = node.fields.iter().filter_map(|field| field.checked_sub(1));
            pending.extend(operands);
        }
    }
    let mut next = 0;
    let numbers: Vec<u64> = { used.iter() }
        .map(|&is_used| {
            next += u64::from(is_used);
            next.saturating_sub(1)
        })
        .collect();
    let number = |old: u64| numbers.get(old as usize).copied().unwrap_or(old);
    let mut index = 0;
    let kept = items.iter().filter_map(|item| {
        let Item::Record(record) = item else {
            return None;
        };
        let mut record = record.clone();
        match record.code {
            STRING | VALUE | NODE | DISTINCT_NODE => {
                index += 1;
                if !used[index - 1] {
                    return None;
                }
                if matches!(record.code, NODE | DISTINCT_NODE) {
                    for field in &mut record.fields {
                        *field = field.checked_sub(1).map_or(0, |old| number(old) + 1);
                    }
                }
            }
            NAMED_NODE => {
                for field in &mut record.fields {
                    *field = number(*field);
                }
            }
            _ => {}
        }
        Some(Item::Record(record))
    });
    Some(kept.collect())
}

fn metadata_block(shader: &mut Shader) -> Option<&mut Block> {
    let items = &mut module(shader)?.items;
    items.iter_mut().find_map(|item| match item {
        Item::Block(block) if block.id == METADATA => Some(block),
        _ => None,
    })
}

/// Removes names of the symbol table, and whole blocks and records of the module. Only the
/// condition protects records that define numbers for others, since most files are not readable
/// without them.
fn records(reduction: &mut Reduction<'_>) {
    let start = reduction.best.clone();
    let mut all: Vec<(usize, Option<usize>)> = Vec::new();
    let modules = start.blocks.iter().filter(|block| block.id == MODULE);
    for (index, item) in modules.flat_map(|module| &module.items).enumerate() {
        match item {
            Item::Block(block) if block.id == SYMBOLS => {
                all.extend((0..block.items.len()).map(|inner| (index, Some(inner))));
            }
            Item::Block(block) if ![FUNCTION, TYPES, METADATA].contains(&block.id) => {
                all.push((index, None));
            }
            // A version, functions and variables have meaning for the rest.
            Item::Record(record) if ![1, 7, MODULE_FUNCTION].contains(&record.code) => {
                all.push((index, None));
            }
            _ => {}
        }
    }
    remove(&all, |dropped| {
        let mut shader = start.clone();
        let Some(module) = module(&mut shader) else {
            return false;
        };
        for (index, item) in module.items.iter_mut().enumerate() {
            if let Item::Block(block) = item {
                drop_items(&mut block.items, |inner| {
                    dropped.contains(&(index, Some(inner)))
                });
            }
        }
        drop_items(&mut module.items, |index| dropped.contains(&(index, None)));
        reduction.attempt("names and records", shader)
    });
}
