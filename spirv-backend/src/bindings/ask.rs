//! A binding model's answers for all resources of a shader.

use std::collections::BTreeSet;

use trellis_dxil_frontend::shader::{Resource, ShaderKind, UNBOUNDED};

use super::{Binding, BindingError, BindingModel, FreeBindings, Place, ResourceQuery};

/// The binding model's answer for a declared range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// Where it is, or why it is nowhere: an error only if the range is used.
    pub(crate) binding: Result<Binding, BindingError>,
    /// Number of registers: 1 for an unbounded range that was refused.
    pub(crate) registers: u32,
}

/// Asks about each range of a shader, in the order of the metadata, and gives ranges without a
/// register a free binding. The answers fill a list.
pub(crate) fn ask_all(
    model: &dyn BindingModel,
    stage: ShaderKind,
    resources: &[Resource],
) -> Vec<Answer> {
    let ask = |r: &Resource| ask(model, ResourceQuery::new(stage, r));
    let mut answers: Vec<Answer> = resources.iter().map(ask).collect();
    let left = |answer: &Answer, r: &Resource| match &answer.binding {
        Ok(binding) => r.has_counter && binding.counter.is_none(),
        Err(reason) => {
            matches!(
                reason,
                BindingError::NoRegister | BindingError::Overflow { .. }
            )
        }
    };
    let any_left = answers.iter().zip(resources).any(|(a, r)| left(a, r));
    if let (true, Some(free)) = (any_left, model.free_bindings()) {
        let mut free = Free::new(free, &answers);
        for (answer, r) in answers.iter_mut().zip(resources) {
            if !left(answer, r) {
                continue;
            }
            let binding = match answer.binding.clone() {
                Ok(binding) => Some(binding),
                Err(_) => free.next().map(Binding::new),
            };
            let Some(mut binding) = binding else { break };
            if r.has_counter {
                binding.counter = binding.counter.or_else(|| free.next());
            }
            answer.binding = Ok(binding);
        }
    }
    answers
}

fn ask(model: &dyn BindingModel, query: ResourceQuery<'_>) -> Answer {
    let binding = model.bind(&query);
    if binding.is_err() && query.range_size == UNBOUNDED {
        let one = ResourceQuery {
            range_size: 1,
            ..query
        };
        if let Ok(binding) = model.bind(&one) {
            return Answer {
                binding: Ok(binding),
                registers: 1,
            };
        }
    }
    Answer {
        binding,
        registers: query.range_size,
    }
}

/// The binding numbers of a set that no range has, from the lowest on.
struct Free {
    set: u32,
    /// The lowest that may be free; `None` after the last number.
    next: Option<u32>,
    taken: BTreeSet<u32>,
}

impl Free {
    fn new(FreeBindings { set, first }: FreeBindings, answers: &[Answer]) -> Self {
        let bindings = answers.iter().filter_map(|a| a.binding.as_ref().ok());
        let places = bindings.flat_map(|b| [Some(b.place), b.counter]).flatten();
        let taken = places.filter_map(|place| match place {
            Place::Descriptor {
                set: other,
                binding,
                ..
            } => (other == set).then_some(binding),
            _ => None,
        });
        Self {
            set,
            next: Some(first),
            taken: taken.collect(),
        }
    }

    fn next(&mut self) -> Option<Place> {
        while let Some(binding) = self.next {
            self.next = binding.checked_add(1);
            if !self.taken.contains(&binding) {
                return Some(Place::descriptor(self.set, binding));
            }
        }
        None
    }
}
