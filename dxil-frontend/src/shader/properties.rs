//! Properties of an entry point: a tag-value list.

use super::cursor::Tuple;
use super::{Properties, ShaderError, ShaderErrorKind, ShaderKind};
use crate::module::{Constant, Module, ValueId};

type Result<T> = std::result::Result<T, ShaderError>;

pub(super) fn read(list: Tuple<'_>) -> Result<Properties> {
    let mut p = Properties::default();
    for tag in list.tags() {
        let (tag, at) = tag?;
        match tag {
            0 => p.flags = list.int(at, "shader flags")?,
            1 => p.geometry = Some(list.ints(at, "geometry state", "5")?),
            2 => p.domain = Some(list.ints(at, "domain state", "2")?),
            3 => {
                let t = state(&list, at, "hull state")?.at_least(7, "7")?;
                let mut numbers = [0; 6];
                for (i, n) in numbers.iter_mut().enumerate() {
                    *n = t.bits(i + 1, "number")? as u32;
                }
                p.hull = Some((t.function(0, "patch-constant function")?, numbers));
            }
            4 => p.num_threads = Some(list.ints(at, "thread counts", "3")?),
            5 => {
                p.auto_binding_space = Some(
                    list.ints::<1>(at, "automatic binding space", "1")
                        .map(|[n]| n)?,
                );
            }
            6 => p.payload_size = Some(list.u32(at, "ray payload size")?),
            7 => p.attribute_size = Some(list.u32(at, "ray attribute size")?),
            8 => {
                p.kind = Some(list.code(
                    at,
                    "shader kind",
                    ShaderKind::from_code,
                    "a shader kind, 0 to 15",
                )?);
            }
            9 => {
                let t = state(&list, at, "mesh state")?.at_least(5, "5")?;
                p.num_threads = Some(t.ints(0, "thread counts", "3")?);
                p.mesh = Some([
                    t.u32(1, "vertex count")?,
                    t.u32(2, "primitive count")?,
                    t.u32(3, "topology")?,
                    t.u32(4, "payload size")?,
                ]);
            }
            10 => {
                let t = state(&list, at, "amplification state")?.at_least(2, "2")?;
                p.num_threads = Some(t.ints(0, "thread counts", "3")?);
                p.amplification = Some(t.u32(1, "payload size")?);
            }
            11 => p.wave_size = Some(list.ints::<1>(at, "wave size", "1").map(|[n]| [n; 3])?),
            12 => p.root_signature = Some(root_signature(&list, at)?),
            23 => {
                p.wave_size =
                    Some(list.ints(at, "wave size range", "3: minimum, maximum, preferred")?);
            }
            _ => {
                if let Some(id) = list.get(at) {
                    p.other.push((tag, id));
                }
            }
        }
    }
    Ok(p)
}

fn state<'m>(list: &Tuple<'m>, at: usize, what: &'static str) -> Result<Tuple<'m>> {
    list.tuple(at, what)?
        .ok_or_else(|| list.fail(what, ShaderErrorKind::Missing))
}

/// The serialized root signature: an `i8` array, by itself or as the only element of a tuple.
fn root_signature(list: &Tuple<'_>, at: usize) -> Result<Box<[u8]>> {
    let bad = || {
        list.fail(
            "root signature",
            ShaderErrorKind::Kind {
                expected: "an i8 array",
            },
        )
    };
    let module = list.module();
    let id = list.get(at).ok_or_else(bad)?;
    let value = match module.metadata.value(id) {
        Some((_, value)) => value,
        None => {
            state(list, at, "root signature")?
                .value(0, "content")?
                .ok_or_else(bad)?
                .1
        }
    };
    bytes(module, value).ok_or_else(bad)
}

fn bytes(module: &Module, value: ValueId) -> Option<Box<[u8]>> {
    match &module.constant(None, value)?.value {
        Constant::String(text, nul) => {
            let mut bytes = text.to_vec();
            if *nul {
                bytes.push(0);
            }
            Some(bytes.into())
        }
        Constant::Data(elements) => Some(elements.iter().map(|&e| e as u8).collect()),
        _ => None,
    }
}
