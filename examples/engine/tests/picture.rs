//! Pictures on the software device. `TRELLIS_BLESS=1` writes the expected one again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::rc::Rc;

use trellis_engine_example::Error;
use trellis_engine_example::commands::Commands;
use trellis_engine_example::device::Device;
use trellis_engine_example::memory::Buffer;
use trellis_engine_example::picture::Picture;
use trellis_engine_example::pipeline::{Pipeline, RenderState};
use trellis_engine_example::scene::{self, Settings};

const SMALL: Settings = Settings {
    size: [160, 90],
    time: 0.0,
    exposure: 1.0,
    shadows: 1.0,
};

/// Returns the software device; `None` if there is none, which is said.
fn device() -> Option<Rc<Device>> {
    match Device::open(Some("llvmpipe")) {
        Ok(device) => Some(device),
        Err(error @ (Error::Setup(_) | Error::Feature { .. })) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn draw(device: &Rc<Device>, settings: Settings) -> Picture {
    scene::draw(device, &settings).unwrap().0
}

/// Drivers round in different ways, and at the edges of objects that is a whole step of color: the
/// mean difference of all colors stays small.
#[test]
fn the_picture_is_the_expected_one() {
    let Some(device) = device() else {
        return;
    };
    let picture = draw(&device, SMALL);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected.png");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        picture.save(&path).unwrap();
    }
    let expected = Picture::load(&path).unwrap();
    assert_eq!(picture.size, expected.size);
    let difference = picture.difference(&expected);
    if difference >= 1.0 {
        let actual = std::env::temp_dir().join("trellis-engine-actual.png");
        picture.save(&actual).unwrap();
        panic!("mean difference {difference}: see {}", actual.display());
    }
    // Not of one color, and not by chance: another point in time is further from it.
    let mut colors: Vec<u8> = picture.colors().collect();
    colors.sort_unstable();
    let tenth = colors.len() / 10;
    assert!(colors[9 * tenth] - colors[tenth] > 80, "it has contrast");
    let later = draw(&device, Settings { time: 2.0, ..SMALL });
    let difference = later.difference(&expected);
    assert!(difference > 5.0, "mean difference {difference}");
}

#[test]
fn root_constants_reach_each_shader() {
    let Some(device) = device() else {
        return;
    };
    let picture = draw(&device, SMALL);
    let mean = |picture: &Picture| {
        let sum: f64 = picture.colors().map(f64::from).sum();
        sum / picture.colors().count() as f64
    };
    // The exposure is one of the sky's and of the objects' constants.
    let dark = draw(
        &device,
        Settings {
            exposure: 0.25,
            ..SMALL
        },
    );
    let bright = |(dark, picture): (u8, u8)| dark > picture.saturating_add(2);
    assert_eq!(
        dark.colors()
            .zip(picture.colors())
            .filter(|p| bright(*p))
            .count(),
        0
    );
    assert!(mean(&dark) < 0.75 * mean(&picture));
    // Without shadows much is the same, and some places are brighter.
    let lit = draw(
        &device,
        Settings {
            shadows: 0.0,
            ..SMALL
        },
    );
    let pairs = || lit.colors().zip(picture.colors());
    let brighter = pairs().filter(|(lit, shadow)| *lit > shadow.saturating_add(20));
    let darker = pairs().filter(|(lit, shadow)| *shadow > lit.saturating_add(2));
    let all = pairs().count();
    assert!((all / 100..all / 4).contains(&brighter.count()));
    assert_eq!(darker.count(), 0);
}

#[test]
fn wrong_root_parameters_are_errors() {
    let Some(device) = device() else {
        return;
    };
    let dxil = include_bytes!("../shaders/animate.dxil");
    let state = RenderState::default();
    let pipeline = Pipeline::new(&device, "animate", &[dxil], state).unwrap();
    let buffer = Buffer::new(&device, 4096).unwrap();
    let mut commands = Commands::new(&device).unwrap();
    let mut bound = commands.bind(&pipeline);
    let wrong = |result: Result<_, Error>, number| match result.map(|_| ()) {
        Err(Error::WrongParameter { parameter, .. }) => assert_eq!(parameter, number),
        other => panic!("{other:?}"),
    };
    wrong(bound.buffer(0, &buffer).map(|_| ()), 0);
    wrong(bound.constants(1, &[0]).map(|_| ()), 1);
    wrong(bound.constants(0, &[0; 3]).map(|_| ()), 0);
    wrong(bound.buffer(2, &buffer).map(|_| ()), 2);
    wrong(pipeline.table(1, &[]).map(|_| ()), 1);
    bound.constants(0, &[0, 1]).unwrap();
    let error = bound.dispatch([1; 3]).unwrap_err();
    assert!(
        matches!(error, Error::ParameterNotSet { parameter: 1, .. }),
        "{error}"
    );
    bound.buffer(1, &buffer).unwrap();
    let error = bound.draw(3).unwrap_err();
    assert!(matches!(error, Error::WrongPlace(_)), "{error}");

    let material = include_bytes!("../shaders/material.dxil");
    let both: [&[u8]; 2] = [dxil, material];
    let error = Pipeline::new(&device, "both", &both, state).err().unwrap();
    assert!(
        matches!(error, Error::DifferentRootSignatures(_)),
        "{error}"
    );
    let error = Pipeline::new(&device, "none", &[b"DXBC"], state)
        .err()
        .unwrap();
    assert!(matches!(error, Error::RootSignature { .. }), "{error}");
    device.check_validation().unwrap();
}
