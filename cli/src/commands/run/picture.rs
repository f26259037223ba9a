//! PNG files of render targets.

use trellis_dxil_interpreter::dispatch::Draw;
use trellis_dxil_interpreter::format::{Encoding, Format};

/// Returns the PNG file of a render target: red, green and blue of the mean of a texel's samples,
/// floats from 0 to 1 and integers from 0 to 255; values outside are clamped. Layers are one below
/// the other.
pub(super) fn png(
    draw: &Draw,
    format: Format,
    texels: &[u8],
) -> Result<Vec<u8>, png::EncodingError> {
    let [width, height] = draw.size.map(|size| size.max(1));
    let samples = draw.samples.max(1) as usize;
    let value = |component: u32| match format.encoding() {
        Encoding::Uint => component as f32,
        Encoding::Sint => component as i32 as f32,
        Encoding::Float | Encoding::Unorm | Encoding::Snorm => f32::from_bits(component) * 255.0,
    };
    let mut pixels = Vec::with_capacity(texels.len());
    for texel in texels.chunks_exact(format.bytes() * samples) {
        let samples: Vec<[u32; 4]> = texel
            .chunks_exact(format.bytes())
            .map(|sample| format.decode(sample))
            .collect();
        for component in 0..3 {
            let sum: f32 = samples.iter().map(|sample| value(sample[component])).sum();
            pixels.push((sum / samples.len() as f32).round() as u8);
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height * draw.layers.max(1));
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(file)
}
