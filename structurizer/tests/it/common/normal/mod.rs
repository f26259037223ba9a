//! A structured program in a normal form, so that two programs that differ only in how they are
//! written compare equal.
//!
//! Structured text has several equivalent forms: what follows `if (c) { x; break; }` could as well
//! be its else-arm, the only exit path of a loop can be in the loop or after it, a `continue` at
//! the end of a loop is redundant. The rules here choose one way to write each; none of them
//! copies, drops or reorders code, and none makes a construct.
//!
//! 1. Code after an item that does not complete is removed, and so are empty constructs.
//! 2. What follows an `if` with an arm that does not complete belongs to the other arm.
//! 3. A jump to where control continues anyway is omitted; a jump names the outermost target that
//!    is the same.
//! 4. A loop that does not repeat is a block; a block without breaks is its contents,
//!    and one begins with what breaks out of it.
//! 5. Where a loop has one exit path, it follows the loop. Paths that run forever or kill do
//!    not count, unless there are only these.
//! 6. A continue part belongs to the body: `continue` leaves a block around the rest.
//! 7. Cases that do nothing are one; a case that falls into the next does not break; where all that
//!    completes ends in one case, that case follows the switch; code there that never completes
//!    belongs to the one case that reaches it.

mod exits;
pub(crate) mod read;
mod switch;

use exits::{only_exit, put, take_kill};
use switch::{give_end_to_case, give_to_case, normal_switch};

/// A sequence.
pub(crate) type List = Vec<Item>;

/// A statement. Loops, blocks and switches have a number of their own that jumps name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// The instruction with this payload.
    Code(u32),
    /// The condition, if it is not a constant; then; else.
    If(Option<u32>, List, List),
    /// The body, over and over.
    Loop(usize, List),
    /// Once.
    Block(usize, List),
    Switch(usize, Option<u32>, Vec<Case>),
    Jump(To),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Case {
    literals: Vec<u64>,
    default: bool,
    body: List,
    /// True if it falls through to the next case.
    falls: bool,
}

/// The target of a jump.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum To {
    /// After the construct.
    After(usize),
    /// To the next turn of the loop.
    Next(usize),
    /// Into the next case of the switch.
    Fall(usize),
    Return,
    Kill,
    Unreachable,
}

/// Returns the normal form as text.
pub(crate) fn text(list: &[Item]) -> String {
    let mut out = String::new();
    print(list, &mut Vec::new(), &mut out);
    out
}

/// Returns the normal form of a list at whose end the lane returns.
pub(crate) fn normal(mut list: List) -> List {
    let mut before = String::new();
    let mut fresh = 1_000_000;
    // Each round makes the program smaller or moves something outwards. That cases jump by
    // themselves comes last, as it hides where they all go.
    for (hoist, push) in [(false, false), (true, false), (true, true)] {
        for _ in 0..100 {
            let mut state = State {
                aliases: Vec::new(),
                fresh,
                hoist,
                push,
            };
            list = normal_list(list, Some(To::Return), &mut state);
            fresh = state.fresh;
            let now = text(&list);
            if now == before {
                break;
            }
            before = now;
        }
    }
    list
}

struct State {
    /// Other names of the location after a construct.
    aliases: Vec<(usize, To)>,
    /// The next number of a construct.
    fresh: usize,
    /// True if the only exit path of a loop, and the last case of a switch, are moved after it:
    /// everything else must have its normal form.
    hoist: bool,
    /// True if the jump after a switch is moved into its cases.
    push: bool,
}

impl State {
    fn number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }
    fn alias(&mut self, id: usize, to: Option<To>) {
        self.aliases
            .retain(|alias| alias.0 != id && alias.1 != To::After(id));
        self.aliases.extend(to.map(|to| (id, to)));
    }
    /// Returns a jump to the outermost equivalent target.
    fn resolve(&self, mut to: To) -> To {
        while let To::After(id) = to
            && let Some(&(_, other)) = self.aliases.iter().rev().find(|alias| alias.0 == id)
        {
            to = other;
        }
        to
    }
}

fn completes(list: &[Item]) -> bool {
    list.iter().all(goes_on)
}

fn goes_on(item: &Item) -> bool {
    match item {
        Item::Code(_) => true,
        Item::If(_, a, b) => completes(a) || completes(b),
        Item::Loop(id, body) => jumps_to(body, To::After(*id)),
        Item::Block(id, body) => completes(body) || jumps_to(body, To::After(*id)),
        Item::Switch(id, _, cases) => {
            !cases.iter().any(|c| c.default)
                || cases
                    .iter()
                    .any(|c| !c.falls && completes(&c.body) || jumps_to(&c.body, To::After(*id)))
        }
        Item::Jump(_) => false,
    }
}

fn children(item: &Item) -> Vec<&List> {
    match item {
        Item::If(_, a, b) => vec![a, b],
        Item::Loop(_, body) | Item::Block(_, body) => vec![body],
        Item::Switch(_, _, cases) => cases.iter().map(|c| &c.body).collect(),
        Item::Code(_) | Item::Jump(_) => Vec::new(),
    }
}

fn children_mut(item: &mut Item) -> Vec<&mut List> {
    match item {
        Item::If(_, a, b) => vec![a, b],
        Item::Loop(_, body) | Item::Block(_, body) => vec![body],
        Item::Switch(_, _, cases) => cases.iter_mut().map(|c| &mut c.body).collect(),
        Item::Code(_) | Item::Jump(_) => Vec::new(),
    }
}

/// Collects all jumps of a list.
fn jumps(list: &[Item], out: &mut Vec<To>) {
    for item in list {
        if let Item::Jump(to) = item {
            out.push(*to);
        }
        for list in children(item) {
            jumps(list, out);
        }
    }
}

fn jumps_to(list: &[Item], to: To) -> bool {
    let mut all = Vec::new();
    jumps(list, &mut all);
    all.contains(&to)
}

fn redirect(list: &mut List, from: To, to: To) {
    for item in list {
        if *item == Item::Jump(from) {
            *item = Item::Jump(to);
        }
        for list in children_mut(item) {
            redirect(list, from, to);
        }
    }
}

/// Collects the constructs of a list.
fn constructs(list: &[Item], out: &mut Vec<usize>) {
    for item in list {
        match item {
            Item::Loop(id, _) | Item::Block(id, _) | Item::Switch(id, ..) => out.push(*id),
            _ => {}
        }
        for list in children(item) {
            constructs(list, out);
        }
    }
}

/// Returns whether control that enters the list never gets to what is around it inside the loop: it
/// leaves the loop.
fn leaves(list: &[Item], outside: &dyn Fn(To) -> bool) -> bool {
    if completes(list) {
        return false;
    }
    let (mut all, mut own) = (Vec::new(), Vec::new());
    jumps(list, &mut all);
    constructs(list, &mut own);
    all.iter().all(|to| match to {
        To::After(id) | To::Next(id) | To::Fall(id) if own.contains(id) => true,
        to => outside(*to),
    })
}

/// `follow` is where control continues at the list's end, if a jump could lead there, too.
fn normal_list(list: List, follow: Option<To>, state: &mut State) -> List {
    // The items that follow, in reverse order.
    let mut rest: List = Vec::new();
    for item in list.into_iter().rev() {
        if !goes_on(&item) {
            rest.clear();
        }
        // The target after the item, if it has a name.
        let following = match rest[..] {
            [] => follow,
            [Item::Jump(to)] => Some(to),
            _ => None,
        };
        match item {
            Item::Code(_) => rest.push(item),
            Item::Jump(to) => {
                let to = state.resolve(to);
                if Some(to) != follow {
                    rest.push(Item::Jump(to));
                }
            }
            Item::If(condition, a, b) => normal_if(condition, a, b, &mut rest, follow, state),
            Item::Loop(id, body) => normal_loop(id, body, &mut rest, following, state),
            Item::Block(id, body) => {
                state.alias(id, following);
                let mut body = normal_list(body, Some(state.resolve(To::After(id))), state);
                give_to_last(id, &mut body);
                state.alias(id, None);
                let mut all = Vec::new();
                jumps(&body, &mut all);
                if state.hoist
                    && let Some(end) = follow
                    && !completes(&body)
                    && all.iter().filter(|to| **to == To::After(id)).count() == 1
                {
                    // The code that follows belongs to the only path there.
                    let mut following: List = rest.drain(..).rev().collect();
                    if completes(&following) {
                        following.push(Item::Jump(end));
                    }
                    put(&mut body, To::After(id), &following);
                }
                if let Some(first) = body
                    .iter()
                    .position(|item| jumps_to(std::slice::from_ref(item), To::After(id)))
                {
                    // What runs before the first break needs no block.
                    let inside = body.split_off(first);
                    rest.push(Item::Block(id, inside));
                    rest.extend(body.drain(..).rev());
                } else {
                    // What completes continues with the rest, which may be a jump.
                    rest.extend(body.drain(..).rev());
                }
            }
            Item::Switch(id, condition, mut cases) => {
                if let Some(to) = follow.filter(|_| state.hoist) {
                    give_to_case(id, &mut cases, &mut rest, to);
                }
                if state.hoist {
                    give_end_to_case(id, &mut cases, &mut rest);
                }
                let following = if rest.is_empty() { follow } else { following };
                normal_switch((id, condition, cases), &mut rest, following, follow, state);
            }
        }
    }
    rest.reverse();
    // The end of a list that continues at the target of a jump is equivalent to that jump.
    if let [.., Item::Jump(to)] = rest[..]
        && Some(to) == follow
    {
        rest.pop();
    }
    rest
}

/// Makes the location after a block that after the last loop or switch in it, for its breaks.
fn give_to_last(id: usize, body: &mut List) {
    let Some(last) = body.last_mut() else { return };
    match last {
        Item::If(_, a, b) => {
            give_to_last(id, a);
            give_to_last(id, b);
        }
        Item::Loop(inner, body) => redirect(body, To::After(id), To::After(*inner)),
        Item::Switch(inner, _, cases) => {
            for case in cases {
                redirect(&mut case.body, To::After(id), To::After(*inner));
            }
        }
        Item::Block(..) | Item::Code(_) | Item::Jump(_) => {}
    }
}

fn normal_if(
    condition: Option<u32>,
    mut a: List,
    mut b: List,
    rest: &mut List,
    follow: Option<To>,
    state: &mut State,
) {
    let (goes_a, goes_b) = (completes(&a), completes(&b));
    let is_jump = matches!(rest[..], [Item::Jump(_)]);
    if is_jump || !(goes_a && goes_b) {
        let moved: List = rest.drain(..).rev().collect();
        if goes_a {
            a.extend(moved.clone());
        }
        if goes_b {
            b.extend(moved);
        }
    }
    let inner = if rest.is_empty() { follow } else { None };
    let a = normal_list(a, inner, state);
    let b = normal_list(b, inner, state);
    if a == b && matches!(a[..], [] | [Item::Jump(_)]) {
        rest.extend(a);
    } else {
        rest.push(Item::If(condition, a, b));
    }
}

fn normal_loop(id: usize, body: List, rest: &mut List, following: Option<To>, state: &mut State) {
    state.alias(id, following);
    let mut body = normal_list(body, Some(To::Next(id)), state);
    if !completes(&body) && !jumps_to(&body, To::Next(id)) {
        rest.push(Item::Block(id, body));
        return;
    }
    // Jumps past the loop have the name of their target now; the loop's own name is for the exit
    // path that is moved.
    if let Some(to) = following {
        let own = state.resolve(to);
        if own != To::After(id) {
            let renamed = state.number();
            let mut copy = body.clone();
            if state.hoist
                && let Some(taken) = only_exit(id, &mut copy)
            {
                redirect(&mut copy, To::After(id), To::After(renamed));
                redirect(&mut copy, To::Next(id), To::Next(renamed));
                if taken[..] != [Item::Jump(own)] || matches!(rest[..], [Item::Jump(_)]) {
                    // The moved path ends in jumps, so nothing of the rest follows it, unless it
                    // jumps to where the rest is.
                    rest.clear();
                    rest.extend(taken.into_iter().rev());
                    rest.push(Item::Loop(renamed, copy));
                    return;
                }
                rest.push(Item::Loop(renamed, copy));
                return;
            }
            rest.push(Item::Loop(id, body));
            return;
        }
    }
    if state.hoist {
        take_kill(id, &mut body, rest);
    }
    if state.hoist
        && let Some(mut taken) = only_exit(id, &mut body)
    {
        let block = state.number();
        redirect(&mut taken, To::After(id), To::After(block));
        rest.push(Item::Block(block, taken));
    }
    rest.push(Item::Loop(id, body));
}

fn print(list: &[Item], around: &mut Vec<usize>, out: &mut String) {
    let indent = "  ".repeat(around.len() + 1);
    let condition = |a: &Option<u32>| a.map_or("?".to_owned(), |a| a.to_string());
    for item in list {
        out.push_str(&indent);
        match item {
            Item::Code(payload) => out.push_str(&format!("code {payload}\n")),
            Item::If(a, then, else_) => {
                out.push_str(&format!("if {}\n", condition(a)));
                around.push(usize::MAX);
                print(then, around, out);
                if !else_.is_empty() {
                    out.push_str(&format!("{indent}else\n"));
                    print(else_, around, out);
                }
                around.pop();
            }
            Item::Loop(id, body) | Item::Block(id, body) => {
                out.push_str(if matches!(item, Item::Loop(..)) {
                    "loop\n"
                } else {
                    "block\n"
                });
                around.push(*id);
                print(body, around, out);
                around.pop();
            }
            Item::Switch(id, a, cases) => {
                out.push_str(&format!("switch {}\n", condition(a)));
                around.push(*id);
                for case in cases {
                    let default = if case.default { " default" } else { "" };
                    let falls = if case.falls { " falls" } else { "" };
                    out.push_str(&format!(
                        "{indent} case {:?}{default}{falls}\n",
                        case.literals
                    ));
                    print(&case.body, around, out);
                }
                around.pop();
            }
            Item::Jump(to) => {
                let level = |id: &usize| {
                    around
                        .iter()
                        .rev()
                        .filter(|a| **a != usize::MAX)
                        .position(|a| a == id)
                        .map_or("?".to_owned(), |n| (n + 1).to_string())
                };
                out.push_str(&match to {
                    To::After(id) => format!("break {}\n", level(id)),
                    To::Next(id) => format!("continue {}\n", level(id)),
                    To::Fall(_) => "fall\n".to_owned(),
                    other => format!("{other:?}\n").to_lowercase(),
                });
            }
        }
    }
}
