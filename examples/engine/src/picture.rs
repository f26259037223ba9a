//! Pictures, and PNG files.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use crate::error::Error;

/// Four bytes for each pixel: red, green, blue in sRGB, and alpha.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Width and height.
    pub size: [u32; 2],
    /// Rows from the top.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Writes a PNG file, without alpha.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let name = || path.display().to_string();
        let failed = |error: png::EncodingError| Error::Png {
            path: name(),
            reason: error.to_string(),
        };
        let file = File::create(path).map_err(|source| Error::File {
            path: name(),
            source,
        })?;
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let bytes: Vec<u8> = self.colors().collect();
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&bytes).map_err(failed)?;
        writer.finish().map_err(failed)
    }

    /// Reads a file that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// The file cannot be read, or is another one.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let name = || path.display().to_string();
        let failed = |error: png::DecodingError| Error::Png {
            path: name(),
            reason: error.to_string(),
        };
        let file = File::open(path).map_err(|source| Error::File {
            path: name(),
            source,
        })?;
        let mut reader = png::Decoder::new(BufReader::new(file))
            .read_info()
            .map_err(failed)?;
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let info = reader.next_frame(&mut bytes).map_err(failed)?;
        if info.color_type != png::ColorType::Rgb || info.bit_depth != png::BitDepth::Eight {
            return Err(Error::Png {
                path: name(),
                reason: "expected 8 bits each of red, green and blue".to_owned(),
            });
        }
        let pixels = bytes[..info.buffer_size()].chunks_exact(3);
        Ok(Self {
            size: [info.width, info.height],
            pixels: pixels.flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        })
    }

    /// Returns red, green and blue of all pixels.
    pub fn colors(&self) -> impl Iterator<Item = u8> {
        self.pixels.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]])
    }

    /// Returns the mean difference of the colors of two pictures of one size, from 0 to 255.
    pub fn difference(&self, other: &Self) -> f64 {
        let pairs = self.colors().zip(other.colors());
        let sum: f64 = pairs.map(|(a, b)| f64::from(a.abs_diff(b))).sum();
        sum / self.colors().count().max(1) as f64
    }
}
