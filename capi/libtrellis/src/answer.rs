//! Checks of the callbacks' answers.

use std::ffi::c_void;

use trellis_dxil::bindings::{Binding, DescriptorKind, HeapBinding, HeapPlace, Place};

use crate::abi::{self, Answer};

/// A checked value, or the reason why a callback's answer cannot be used.
pub(crate) type Checked<T> = Result<T, String>;

/// The data of callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Userdata(pub(crate) *mut c_void);

// SAFETY: it is not used here but given to callbacks, which are called only by functions that the
// client calls, on its own threads; the documentation of the callbacks states this.
unsafe impl Send for Userdata {}
// SAFETY: as above.
unsafe impl Sync for Userdata {}

/// Checks the result of a callback: whether it has an answer.
pub(crate) fn answered(answer: Answer) -> Checked<bool> {
    match answer {
        abi::TRELLIS_REFUSED => Ok(false),
        abi::TRELLIS_ANSWERED => Ok(true),
        other => Err(format!("the callback returned {other}, not 0 or 1")),
    }
}

/// Checks a truth value.
pub(crate) fn truth(name: &str, value: abi::Bool) -> Checked<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(format!(
            "the callback's answer has {name} {other}, not 0 or 1"
        )),
    }
}

/// Checks that reserved words are 0.
pub(crate) fn reserved(words: &[u32]) -> Checked<()> {
    if words.iter().all(|&word| word == 0) {
        Ok(())
    } else {
        Err("the callback's answer has reserved fields that are not 0".to_owned())
    }
}

fn descriptor(number: abi::Descriptor) -> Checked<Option<DescriptorKind>> {
    Ok(Some(match number {
        abi::TRELLIS_DESCRIPTOR_NATURAL => return Ok(None),
        abi::TRELLIS_DESCRIPTOR_UNIFORM_BUFFER => DescriptorKind::UniformBuffer,
        abi::TRELLIS_DESCRIPTOR_STORAGE_BUFFER => DescriptorKind::StorageBuffer,
        abi::TRELLIS_DESCRIPTOR_UNIFORM_TEXEL_BUFFER => DescriptorKind::UniformTexelBuffer,
        abi::TRELLIS_DESCRIPTOR_STORAGE_TEXEL_BUFFER => DescriptorKind::StorageTexelBuffer,
        abi::TRELLIS_DESCRIPTOR_SAMPLED_IMAGE => DescriptorKind::SampledImage,
        abi::TRELLIS_DESCRIPTOR_STORAGE_IMAGE => DescriptorKind::StorageImage,
        abi::TRELLIS_DESCRIPTOR_SAMPLER => DescriptorKind::Sampler,
        abi::TRELLIS_DESCRIPTOR_ACCELERATION_STRUCTURE => DescriptorKind::AccelerationStructure,
        abi::TRELLIS_DESCRIPTOR_DEVICE_ADDRESS => DescriptorKind::DeviceAddress,
        other => return Err(format!("the callback's answer has descriptor kind {other}")),
    }))
}

/// Returns a place; `None` for nowhere.
fn place(at: &abi::Place) -> Checked<Option<Place>> {
    reserved(&at.reserved)?;
    let abi::Place {
        set,
        binding,
        offset,
        ..
    } = *at;
    let kind = || descriptor(at.descriptor);
    Ok(Some(match at.kind {
        abi::TRELLIS_PLACE_NONE => return Ok(None),
        abi::TRELLIS_PLACE_DESCRIPTOR => Place::Descriptor {
            set,
            binding,
            kind: kind()?,
        },
        abi::TRELLIS_PLACE_HEAP => Place::Heap {
            set,
            binding,
            kind: kind()?,
            offset,
            root_constant: truth("has_root_constant", at.has_root_constant)?
                .then_some(at.root_constant),
        },
        abi::TRELLIS_PLACE_ROOT_CONSTANTS => Place::RootConstants { offset },
        abi::TRELLIS_PLACE_DEVICE_ADDRESS => Place::DeviceAddress {
            root_descriptor: offset,
        },
        abi::TRELLIS_PLACE_SHADER_RECORD => Place::ShaderRecord {
            offset,
            words: Some(at.words).filter(|&words| words != 0),
        },
        abi::TRELLIS_PLACE_RECORD_ADDRESS => Place::RecordAddress { offset },
        abi::TRELLIS_PLACE_RECORD_TABLE => Place::RecordTable {
            set,
            binding,
            kind: kind()?,
            offset,
            record_offset: at.record_offset,
            size_log2: at.size_log2,
        },
        other => return Err(format!("the callback's answer has place kind {other}")),
    }))
}

fn offsets(at: &abi::SetBinding) -> Checked<Option<HeapBinding>> {
    reserved(&[at.reserved])?;
    let (set, binding) = (at.set, at.binding);
    Ok(truth("offsets.used", at.used)?.then_some(HeapBinding { set, binding }))
}

/// Returns the answer about a range of resources; `None` for nowhere.
pub(crate) fn binding(answer: &abi::Binding) -> Checked<Option<Binding>> {
    let counter = place(&answer.counter)?;
    let offsets = offsets(&answer.offsets)?;
    Ok(place(&answer.place)?.map(|place| {
        let mut binding = Binding::new(place);
        binding.counter = counter;
        binding.offsets = offsets;
        binding
    }))
}

/// Returns the answer about views of a heap.
pub(crate) fn heap_place(answer: &abi::HeapPlace) -> Checked<HeapPlace> {
    reserved(&[answer.reserved])?;
    let mut place = HeapPlace::new(answer.set, answer.binding);
    place.kind = descriptor(answer.descriptor)?;
    place.offsets = offsets(&answer.offsets)?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use trellis_dxil::bindings::DescriptorKind;

    use super::descriptor;

    #[test]
    fn descriptors_have_the_numbers_of_their_order() {
        use DescriptorKind as D;
        let all = [
            D::UniformBuffer,
            D::StorageBuffer,
            D::UniformTexelBuffer,
            D::StorageTexelBuffer,
            D::SampledImage,
            D::StorageImage,
            D::Sampler,
            D::AccelerationStructure,
            D::DeviceAddress,
        ];
        assert_eq!(descriptor(0), Ok(None));
        for (number, kind) in (1..).zip(all) {
            assert_eq!(descriptor(number), Ok(Some(kind)));
        }
        assert!(descriptor(10).is_err());
    }
}
