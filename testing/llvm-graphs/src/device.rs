//! Runs shaders of [`crate::shader`] on a Vulkan device.

use gpu_test::vulkan::{self, Binding, Device, Element, Job, Object, StageCode, Work, vk};
use thiserror::Error;

use crate::evaluate::{Run, digest};
use crate::program::INPUTS;
use crate::shader::{HEAD, Layout};

/// Why a shader gave no traces.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Vulkan refuses, or the shader does not end.
    #[error("{0}")]
    Vulkan(#[from] vulkan::Error),
    /// The validation layer reports an error.
    #[error("the validation layer: {0}")]
    Message(String),
    /// An invocation did not return.
    #[error("lane {0} did not return")]
    NotReturned(usize),
    /// An invocation has more events than fit.
    #[error("lane {lane} saw {events} events")]
    TooManyEvents {
        /// The lane.
        lane: usize,
        /// The events.
        events: u32,
    },
}

/// The words of an invocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Number of its events.
    pub seen: u32,
    /// Their [`digest`].
    pub digest: u32,
    /// The returned value, and the events if the layout keeps them.
    pub run: Run,
}

impl Lane {
    /// Returns the words of an invocation with this trace, without its events.
    pub fn of(run: &Run) -> Self {
        Lane {
            seen: run.events.len() as u32,
            digest: digest(&run.events),
            run: Run {
                events: Vec::new(),
                returned: run.returned,
            },
        }
    }
}

/// Runs a shader with one invocation per input, and returns the words of each. There must be
/// [`Layout::lanes`] inputs.
///
/// # Errors
/// See [`enum@Error`].
pub fn run(
    device: &Device,
    words: Vec<u32>,
    layout: Layout,
    inputs: &[[u32; INPUTS]],
) -> Result<Vec<Lane>, Error> {
    let input: Vec<u8> = inputs
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let trace = vec![0; layout.lanes as usize * layout.stride() as usize * 4];
    let binding = |object: usize| Binding {
        set: 0,
        binding: object as u32,
        ty: vk::DescriptorType::STORAGE_BUFFER,
        elements: vec![Some(Element {
            object,
            ty: None,
            view: None,
            format: vk::Format::UNDEFINED,
        })],
    };
    let job = Job {
        stages: vec![StageCode {
            stage: vk::ShaderStageFlags::COMPUTE,
            words,
            entry: "main".to_owned(),
        }],
        objects: vec![Object::Buffer(input), Object::Buffer(trace)],
        bindings: vec![binding(0), binding(1)],
        work: Work::Dispatch([1, 1, 1]),
        wave_size: None,
    };
    let results = device.run(&job)?;
    if let Some(message) = results.messages.into_iter().next() {
        return Err(Error::Message(message));
    }
    let words: Vec<u32> = results.objects[1]
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    words
        .chunks_exact(layout.stride() as usize)
        .enumerate()
        .map(|(lane, words)| read(lane, words, layout))
        .collect()
}

fn read(lane: usize, words: &[u32], layout: Layout) -> Result<Lane, Error> {
    let [returned, value, seen, digest, ..] = *words else {
        return Err(Error::NotReturned(lane));
    };
    if returned != 1 {
        return Err(Error::NotReturned(lane));
    }
    if layout.events > 0 && seen > layout.events {
        return Err(Error::TooManyEvents { lane, events: seen });
    }
    let events = words[HEAD as usize..]
        .chunks_exact(2)
        .take(seen as usize)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    Ok(Lane {
        seen,
        digest,
        run: Run {
            events,
            returned: value,
        },
    })
}
