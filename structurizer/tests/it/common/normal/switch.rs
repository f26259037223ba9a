//! Switches in normal form: order of cases, fall-through, and the code that follows.

use super::{
    Case, Item, List, State, To, children, completes, constructs, jumps, jumps_to, normal_list,
    redirect,
};

/// If cases jump to the end of the list, the code after the switch belongs to the one case that
/// reaches it.
pub(super) fn give_to_case(id: usize, cases: &mut Vec<Case>, rest: &mut List, follow: To) {
    if rest.is_empty()
        || matches!(rest[..], [Item::Jump(_)])
        || cases.iter().any(|case| jumps_to(&case.body, To::After(id)))
    {
        return;
    }
    if !cases.iter().any(|case| jumps_to(&case.body, follow)) {
        return;
    }
    let mut all = cases.clone();
    if !all.iter().any(|case| case.default) {
        all.push(Case {
            default: true,
            ..Case::default()
        });
    }
    let (nothing, other): (Vec<usize>, Vec<usize>) = (0..all.len())
        .filter(|&c| !all[c].falls && completes(&all[c].body))
        .partition(|&c| all[c].body.is_empty());
    let is_fallen_into = |case: usize| case > 0 && all[case - 1].falls;
    match (&nothing[..], &other[..]) {
        (&[only], []) => {
            all[only].body = rest.drain(..).rev().collect();
            *cases = all;
        }
        // The other case falls into this one.
        (&[only], &[other]) if !is_fallen_into(only) => {
            let mut case = all.remove(only);
            case.body = rest.drain(..).rev().collect();
            let other = other - usize::from(only < other);
            all[other].falls = true;
            all.insert(other + 1, case);
            *cases = all;
        }
        _ => {}
    }
}

/// Code after the switch that never completes belongs to the one case that reaches it.
pub(super) fn give_end_to_case(id: usize, cases: &mut Vec<Case>, rest: &mut List) {
    let following: List = rest.iter().rev().cloned().collect();
    if following.is_empty()
        || end_of(&following) == 2
        || cases.iter().any(|case| jumps_to(&case.body, To::After(id)))
    {
        return;
    }
    let mut all = cases.clone();
    if !all.iter().any(|case| case.default) {
        all.push(Case {
            default: true,
            ..Case::default()
        });
    }
    let goes_on: Vec<usize> = (0..all.len())
        .filter(|&c| !all[c].falls && completes(&all[c].body))
        .collect();
    if let [only] = goes_on[..] {
        all[only].body.extend(following);
        rest.clear();
        *cases = all;
    }
}

pub(super) fn normal_switch(
    (id, condition, mut cases): (usize, Option<u32>, Vec<Case>),
    rest: &mut List,
    following: Option<To>,
    follow: Option<To>,
    state: &mut State,
) {
    let mut following = following;
    if let [Item::Jump(to)] = rest[..]
        && state.push
    {
        rest.clear();
        following = follow;
        push_jump(id, &mut cases, to);
    }
    state.alias(id, following);
    let after = state.resolve(To::After(id));
    let kept = normal_cases(id, cases, after, state);
    let (mut chains, default_does_nothing) = chains_of(kept);
    merge_jumps(&mut chains);
    for case in chains.iter_mut().flatten() {
        case.literals.sort_unstable();
        if case.default {
            case.literals.clear();
        }
    }
    chains.sort_by_key(|chain| {
        chain
            .iter()
            .filter_map(|case| case.literals.first().copied())
            .min()
            .unwrap_or(u64::MAX)
    });
    if chains.is_empty() {
        return;
    }
    if let [chain] = &mut chains[..]
        && let [only] = &mut chain[..]
        && only.default
    {
        rest.push(Item::Block(id, std::mem::take(&mut only.body)));
        return;
    }
    if state.hoist
        && !default_does_nothing
        && let Some(taken) = last_case(id, after, &mut chains)
    {
        put_after(id, taken, after, rest, state);
        let renamed = state.number();
        for case in chains.iter_mut().flatten() {
            redirect(&mut case.body, To::After(id), To::After(renamed));
            redirect(&mut case.body, To::Fall(id), To::Fall(renamed));
        }
        rest.push(Item::Switch(
            renamed,
            condition,
            chains.into_iter().flatten().collect(),
        ));
        return;
    }
    rest.push(Item::Switch(
        id,
        condition,
        chains.into_iter().flatten().collect(),
    ));
}

/// Gives each case the jump that follows the switch, and the switch a default.
fn push_jump(id: usize, cases: &mut Vec<Case>, to: To) {
    if !cases.iter().any(|case| case.default) {
        cases.push(Case {
            default: true,
            ..Case::default()
        });
    }
    for case in cases {
        redirect(&mut case.body, To::After(id), to);
        if !case.falls && completes(&case.body) {
            case.body.push(Item::Jump(to));
        }
    }
}

/// Returns the cases in normal form, without those that fall into the next one and do nothing
/// else.
fn normal_cases(id: usize, cases: Vec<Case>, after: To, state: &mut State) -> Vec<Case> {
    let mut kept: Vec<Case> = Vec::new();
    // From the last on, since a case may fall into an empty one.
    for mut case in cases.into_iter().rev() {
        // Falling into a case that only jumps is that jump.
        if let Some([Item::Jump(to)]) = kept.last().map(|next| &next.body[..]) {
            redirect(&mut case.body, To::Fall(id), *to);
            if case.falls && completes(&case.body) {
                case.body.push(Item::Jump(*to));
            }
            case.falls = false;
        }
        let next_is_empty = kept
            .last()
            .is_none_or(|next| next.body.is_empty() && !next.falls);
        if next_is_empty {
            redirect(&mut case.body, To::Fall(id), after);
        }
        case.falls = jumps_to(&case.body, To::Fall(id))
            || case.falls && !next_is_empty && completes(&case.body);
        let follow = if case.falls { To::Fall(id) } else { after };
        case.body = normal_list(case.body, Some(follow), state);
        case.falls = case.falls && (completes(&case.body) || jumps_to(&case.body, To::Fall(id)));
        match kept.last_mut() {
            Some(next) if case.falls && case.body.is_empty() => {
                next.literals.append(&mut case.literals);
                next.default |= case.default;
            }
            _ => kept.push(case),
        }
    }
    kept.reverse();
    kept
}

/// Puts the body of a removed case after the switch.
fn put_after(id: usize, mut taken: List, after: To, rest: &mut List, state: &mut State) {
    if after == To::After(id) {
        let block = state.number();
        redirect(&mut taken, To::After(id), To::After(block));
        rest.push(Item::Block(block, taken));
    } else {
        let ends = completes(&taken);
        let moved = std::mem::take(rest);
        if ends {
            rest.extend(moved);
        }
        rest.extend(taken.into_iter().rev());
    }
}

/// Returns the cases in chains that fall into each other, with one case for all that do nothing;
/// and whether the default is one of them.
fn chains_of(kept: Vec<Case>) -> (Vec<Vec<Case>>, bool) {
    let mut chains: Vec<Vec<Case>> = Vec::new();
    let mut open = false;
    for case in kept {
        let falls = case.falls;
        if open {
            chains
                .last_mut()
                .expect("a case fell into this one")
                .push(case);
        } else {
            chains.push(vec![case]);
        }
        open = falls;
    }
    // Cases that do nothing are one: what no other case names.
    let does_nothing = |chain: &Vec<Case>| chain.len() == 1 && chain[0].body.is_empty();
    let default_does_nothing = !chains.iter().flatten().any(|c| c.default)
        || chains
            .iter()
            .any(|chain| does_nothing(chain) && chain[0].default);
    let mut literals = Vec::new();
    chains.retain(|chain| {
        let nothing = does_nothing(chain);
        if nothing {
            literals.extend(chain[0].literals.iter().copied());
        }
        !nothing
    });
    if !default_does_nothing && !literals.is_empty() {
        chains.push(vec![Case {
            literals,
            ..Case::default()
        }]);
    }
    (chains, default_does_nothing)
}

/// Merges the cases that only jump to the same target.
fn merge_jumps(chains: &mut Vec<Vec<Case>>) {
    let mut at = 0;
    while at < chains.len() {
        if let [Case { body, .. }] = &chains[at][..]
            && let [Item::Jump(_)] = body[..]
            && let Some(first) = chains[..at]
                .iter()
                .position(|chain| chain.len() == 1 && chain[0].body == *body)
        {
            let mut case = chains.remove(at).remove(0);
            chains[first][0].literals.append(&mut case.literals);
            chains[first][0].default |= case.default;
        } else {
            at += 1;
        }
    }
}

/// Returns whether all lanes are killed that enter a list.
pub(super) fn is_killed(list: &[Item]) -> bool {
    end_of(list) == 0
}

/// Returns the most useful end of lanes that enter a list, if it does not complete: 0 if all are
/// killed, 1 if others may run forever, 2 if some jump.
pub(super) fn end_of(list: &[Item]) -> u32 {
    let mut all = Vec::new();
    let mut own = Vec::new();
    jumps(list, &mut all);
    constructs(list, &mut own);
    let goes_out = |to: &To| match to {
        To::After(id) | To::Next(id) | To::Fall(id) => !own.contains(id),
        To::Return => true,
        To::Kill | To::Unreachable => false,
    };
    let mut loops = false;
    has_loop(list, &mut loops);
    match (all.iter().any(goes_out) || completes(list), loops) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Returns whether lanes that enter a loop neither leave it nor end.
fn never_exits(item: &Item, body: &List) -> bool {
    let (mut all, mut own) = (Vec::new(), Vec::new());
    jumps(body, &mut all);
    constructs(body, &mut own);
    let id = if let Item::Loop(id, _) = item {
        *id
    } else {
        usize::MAX
    };
    all.iter().all(|to| match to {
        To::After(other) => own.contains(other),
        To::Next(other) | To::Fall(other) => *other == id || own.contains(other),
        To::Return | To::Kill | To::Unreachable => false,
    })
}

fn has_loop(list: &[Item], found: &mut bool) {
    for item in list {
        *found |= matches!(item, Item::Loop(_, body) if never_exits(item, body));
        for list in children(item) {
            has_loop(list, found);
        }
    }
}

/// Returns the only case from whose end control reaches the end of the switch, if it is the only
/// one; the case does nothing then.
fn last_case(id: usize, after: To, chains: &mut [Vec<Case>]) -> Option<List> {
    let gets_there = |case: &Case| {
        !case.falls && completes(&case.body)
            || jumps_to(&case.body, To::After(id))
            || jumps_to(&case.body, after)
    };
    let all: Vec<(usize, usize)> = chains
        .iter()
        .enumerate()
        .flat_map(|(c, chain)| (0..chain.len()).map(move |k| (c, k)))
        .filter(|&(c, k)| gets_there(&chains[c][k]))
        .collect();
    let (chain, case) = match all[..] {
        [only] => only,
        // The switch never completes: where lanes meet that are not killed.
        [] => {
            let ends: Vec<u32> = chains
                .iter()
                .map(|chain| chain.last().map_or(0, |last| end_of(&last.body)))
                .collect();
            let best = ends.iter().max().copied().unwrap_or(0);
            let lasts: Vec<usize> = (0..chains.len()).filter(|&c| ends[c] == best).collect();
            let chain = match &lasts[..] {
                [chain] if best > 0 || chains[*chain].len() > 1 => *chain,
                _ => return None,
            };
            (chain, chains[chain].len() - 1)
        }
        _ => return None,
    };
    if chains[chain][case].falls || chains[chain][case].body.is_empty() {
        return None;
    }
    let taken = std::mem::take(&mut chains[chain][case].body);
    if let Some(before) = case.checked_sub(1) {
        let before = &mut chains[chain][before];
        before.falls = false;
        redirect(&mut before.body, To::Fall(id), To::After(id));
    }
    Some(taken)
}
