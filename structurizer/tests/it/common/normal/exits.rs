//! Exit paths of loops: finding them, and moving the only one after its loop.

use super::switch::{end_of, is_killed};
use super::{Item, List, To, children_mut, completes, constructs, jumps, leaves};

/// Of the exit paths of a list, each as large as it can be, those that fit; takes the only one of
/// them away and leaves a jump.
struct Exits<'a> {
    outside: &'a dyn Fn(To) -> bool,
    count: usize,
    /// Only ways that end so ([`end_of`]).
    end: u32,
    /// If the way is to be taken, and the jump that stays.
    take: Option<To>,
    taken: List,
}

impl Exits<'_> {
    fn walk(&mut self, list: &mut List) {
        if completes(list) {
            // No end of it leaves.
        } else if let Some(at) = (0..list.len()).find(|&at| leaves(&list[at..], self.outside)) {
            if end_of(&list[at..]) == self.end {
                self.count += 1;
                if let Some(jump) = self.take {
                    self.taken = list.split_off(at);
                    list.push(Item::Jump(jump));
                }
            }
            for item in list.iter_mut().take(at) {
                for child in children_mut(item) {
                    self.walk(child);
                }
            }
            return;
        }
        for item in list.iter_mut() {
            for child in children_mut(item) {
                self.walk(child);
            }
        }
    }
}

/// Removes and returns the only exit path of a loop, if any; a jump past the loop replaces it.
pub(super) fn only_exit(id: usize, body: &mut List) -> Option<List> {
    let mut inside = vec![id];
    constructs(body, &mut inside);
    let outside = |to: To| match to {
        To::After(other) => other == id || !inside.contains(&other),
        To::Next(other) | To::Fall(other) => !inside.contains(&other),
        _ => true,
    };
    // Where some lanes continue, those that run forever or are killed do not count.
    for end in [2, 1, 0] {
        let mut exits = Exits {
            outside: &outside,
            count: 0,
            end,
            take: None,
            taken: Vec::new(),
        };
        exits.walk(body);
        match exits.count {
            0 => {}
            1 => {
                exits.take = Some(To::After(id));
                exits.walk(body);
                return Some(exits.taken).filter(|taken| taken[..] != [Item::Jump(To::After(id))]);
            }
            _ => return None,
        }
    }
    None
}

/// If several exits of a loop only lead to kills, one of these kills is the one after the loop.
pub(super) fn take_kill(id: usize, body: &mut List, rest: &mut List) {
    let mut all = Vec::new();
    jumps(body, &mut all);
    let outside = |to: To| !matches!(to, To::Next(_) | To::Fall(_));
    let mut exits = Exits {
        outside: &outside,
        count: 0,
        end: 0,
        take: None,
        taken: Vec::new(),
    };
    exits.walk(body);
    let following: List = rest.iter().rev().cloned().collect();
    if exits.count > 0
        && is_killed(&following)
        && all.iter().filter(|to| **to == To::After(id)).count() == 1
    {
        rest.clear();
        put(body, To::After(id), &following);
    }
}

/// Replaces a jump by a list.
pub(super) fn put(list: &mut List, jump: To, what: &[Item]) {
    if list.last() == Some(&Item::Jump(jump)) {
        list.pop();
        list.extend(what.iter().cloned());
        return;
    }
    for item in list {
        for list in children_mut(item) {
            put(list, jump, what);
        }
    }
}
