//! Inputs for shaders of which only the resources are known: the interpreter's dispatch for any
//! shader, in sizes and formats that the shaders can work with, and filled by a pattern.
//!
//! They are guesses: whoever uses them checks that the references agree.

use trellis_dxil_frontend::shader::{ResourceClass, SamplerKind};
use trellis_dxil_interpreter::dispatch::{
    Address, Binding, Class, Compare, Data, Filter, Kind, Number,
};
use trellis_dxil_interpreter::format::{Encoding, Format};

use crate::formats;
use crate::spirv_module::SpirvModule;

/// Numbers that a case is filled with where the shader reads integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// 0 to 15.
    Small,
    /// 0 to 1000.
    Middle,
    /// All bits.
    Any,
    /// Floats from -4 to 4 in buffers without a format.
    Floats,
    /// All the same number: loops that end when two are equal.
    Ones,
}

impl Pattern {
    /// All patterns, in the order in which they are tried.
    pub const ALL: [Pattern; 5] = [
        Pattern::Small,
        Pattern::Any,
        Pattern::Floats,
        Pattern::Middle,
        Pattern::Ones,
    ];

    /// Returns the name of a case.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Small => "small numbers",
            Pattern::Middle => "numbers up to 1000",
            Pattern::Any => "any bits",
            Pattern::Floats => "floats",
            Pattern::Ones => "ones",
        }
    }

    /// Returns random contents, of texels if there is a format.
    fn data(self, format: Option<Format>, seed: u64) -> Data {
        let encoding = format.map(|format| (format.encoding(), format.bits()[0]));
        let (number, [min, max]) = match (encoding, self) {
            (Some((Encoding::Float, 32)), _) => (Number::F32, [0.0, 1.0]),
            (Some((Encoding::Float, 16)), _) => (Number::F16, [0.0, 1.0]),
            (None, Pattern::Floats) => (Number::F32, [-4.0, 4.0]),
            (None | Some((Encoding::Uint | Encoding::Sint, 16 | 32)), _) => {
                let is_half = encoding.is_some_and(|(_, bits)| bits == 16);
                let number = if is_half { Number::U16 } else { Number::U32 };
                (number, self.range(number))
            }
            _ => (Number::U8, [0.0, 255.0]),
        };
        Data::Random {
            number,
            seed,
            min,
            max,
        }
    }

    /// Returns the least and the greatest integer.
    fn range(self, number: Number) -> [f64; 2] {
        match self {
            Pattern::Small | Pattern::Floats => [0.0, 15.0],
            Pattern::Middle => [0.0, 1000.0],
            Pattern::Any => [0.0, 2f64.powi(number.bytes() as i32 * 8) - 1.0],
            Pattern::Ones => [1.0, 1.0],
        }
    }
}

/// Samples of multisampled textures and targets: more devices have four than any other number above
/// one.
pub(super) const SAMPLES: u32 = 4;

/// Returns the resources of the shaders of a pipeline, whose interfaces `module` has together, filled.
///
/// # Errors
/// A shader cannot be read.
pub(super) fn bindings(
    shaders: &[Vec<u8>],
    module: &SpirvModule,
    pattern: Pattern,
    elements: u64,
) -> Result<Vec<Binding>, String> {
    let mut list: Vec<Binding> = Vec::new();
    for dxil in shaders {
        let input = trellis_dxil_frontend::read(dxil).map_err(|error| error.to_string())?;
        let (ir, shader) = (&input.module, &input.shader);
        let compares = shader.resources.iter().any(|r| {
            r.class == ResourceClass::Sampler && r.sampler_kind == SamplerKind::Comparison
        });
        let dispatch = trellis_dxil_interpreter::generate::dispatch(ir, shader, [1; 3], 64);
        for mut binding in dispatch.bindings {
            if binding.kind == Kind::Sampler {
                (binding.filter, binding.address) = (Some(Filter::Linear), Some(Address::Wrap));
                binding.compare = compares.then_some(Compare::LessEqual);
            }
            // A resource that several shaders use.
            if list.iter().all(|other| other.place != binding.place) {
                list.push(binding);
            }
        }
    }
    let is_srv = |binding: &Binding| binding.place.class == Class::Srv;
    // A resource that the shader writes starts as zeros, unless it is the only one to read.
    let reads = list.iter().any(is_srv);
    for (seed, binding) in (1..).zip(&mut list) {
        resize(binding, module, elements);
        let is_filled =
            binding.kind != Kind::Sampler && (binding.place.class != Class::Uav || !reads);
        binding.data = is_filled.then(|| pattern.data(binding.format, seed));
    }
    // Integers cannot be filtered.
    let is_integer = |b: &Binding| b.format.is_some_and(Format::is_integer) && b.kind.is_texture();
    if list.iter().any(|b| is_srv(b) && is_integer(b)) {
        for sampler in list.iter_mut().filter(|b| b.kind == Kind::Sampler) {
            sampler.filter = Some(Filter::Point);
        }
    }
    Ok(list)
}

/// Sets the sizes of a resource, and the format that the module demands.
fn resize(b: &mut Binding, module: &SpirvModule, elements: u64) {
    let shift = if b.place.class == Class::Uav {
        2000
    } else {
        1000
    };
    let at = (b.place.space, b.place.register + shift);
    let mut resources = module.resources.iter().filter(|r| (r.set, r.binding) == at);
    let demanded = resources.find_map(|r| r.format).and_then(formats::demanded);
    b.format = b.format.map(|format| demanded.unwrap_or(format));
    let bytes = match (b.kind, b.format) {
        (Kind::Raw, _) => 4,
        (Kind::Structured, _) => u64::from(b.stride.unwrap_or(4)),
        (Kind::Typed, Some(format)) => format.bytes() as u64,
        _ => {
            let has_mips = b.place.class == Class::Srv && b.kind.is_texture();
            if has_mips && b.kind != Kind::Texture3D && b.samples == 1 {
                b.mips = 3;
            }
            return;
        }
    };
    b.bytes = Some(elements * bytes);
    // Unused slots above and entries below.
    b.counter = b.counter.map(|_| 1000);
}
