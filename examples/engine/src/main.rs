//! `trellis-engine`: draws the scene and saves a picture.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use trellis_engine_example::Error;
use trellis_engine_example::device::Device;
use trellis_engine_example::scene::{self, Settings};

/// Draws a scene with DXIL shaders on a Vulkan device, and saves a PNG.
#[derive(Parser)]
#[command(
    name = "trellis-engine",
    after_help = "Examples:
  trellis-engine --out scene.png
  trellis-engine --out small.png --size 320x180 --time 2.5
  trellis-engine --out lit.png --device llvmpipe --shadows 0"
)]
struct Arguments {
    /// The picture.
    #[arg(long, value_name = "FILE", default_value = "scene.png")]
    out: PathBuf,
    /// Width and height.
    #[arg(long, value_name = "WxH", default_value = "960x540", value_parser = parse_size)]
    size: [u32; 2],
    /// Seconds since the beginning of the animation.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    time: f32,
    /// The same as a number of frames, 60 of which are a second.
    #[arg(long, value_name = "N", conflicts_with = "time")]
    frame: Option<u32>,
    /// Factor of all light.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    exposure: f32,
    /// How dark shadows are, from 0 to 1.
    #[arg(long, value_name = "DARKNESS", default_value_t = 1.0)]
    shadows: f32,
    /// The device: a part of its name (default: the first one)
    #[arg(long, value_name = "NAME-PART")]
    device: Option<String>,
}

/// The sizes that a device can draw: at least 4096 is in every one.
const SIZES: std::ops::RangeInclusive<u32> = 1..=4096;

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(width, height)| {
        let side = |text: &str| text.parse().ok().filter(|side| SIZES.contains(side));
        Some([side(width)?, side(height)?])
    });
    sides.ok_or_else(|| "expected two numbers from 1 to 4096, like 960x540".to_owned())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let device = Device::open(arguments.device.as_deref())?;
    let validation = if device.is_validated() {
        "with"
    } else {
        "without"
    };
    println!("device      {}, {validation} validation", device.name());
    let settings = Settings {
        size: arguments.size,
        time: arguments
            .frame
            .map_or(arguments.time, |frame| frame as f32 / 60.0),
        exposure: arguments.exposure,
        shadows: arguments.shadows,
    };
    let (picture, timings) = scene::draw(&device, &settings)?;
    println!(
        "pipelines   {:>8.1?} (7 shaders translated)",
        timings.pipelines
    );
    println!("materials   {:>8.1?}", timings.materials);
    println!("picture     {:>8.1?}", timings.picture);
    let start = Instant::now();
    picture.save(&arguments.out)?;
    println!(
        "saved       {:>8.1?} {}",
        start.elapsed(),
        arguments.out.display()
    );
    Ok(())
}
