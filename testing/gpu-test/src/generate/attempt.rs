//! One attempt at a case: inputs by a pattern, a run, and the references that have to agree.

use spirv::Capability;
use trellis_dxil_interpreter::Error;
use trellis_dxil_interpreter::dispatch::Dispatch;

use super::Subject;
use super::compare::{agree, bless};
use super::draw::draw;
use super::guess::{self, Pattern};
use crate::case::{Case, Reference};
use crate::execute::{self, NotRun};
use crate::interpret;
use crate::spirv_module::SpirvModule;
use crate::suite::run_linked;
use crate::vulkan::Device;

/// The interpreter's message for buffers that are too small.
pub(super) const OUTSIDE: &str = "accesses out of bounds";

/// Makes one case, with remarks about it.
pub(super) fn attempt(
    device: &Device,
    subject: &Subject,
    pattern: Pattern,
    elements: u64,
) -> Result<(Case, Vec<String>), String> {
    let mut case = inputs(device, subject, pattern, elements)?;
    let mut remarks = Vec::new();
    // First the interpreter: it ends where a device might not.
    let interpreted = match &case.dispatch {
        Some(dispatch) => match interpret::run(&subject.dxil[0], dispatch, case.wave()) {
            Ok((observed, 0)) => Some(observed),
            Ok((_, outside)) => return Err(format!("{outside} {OUTSIDE}")),
            Err(Error::Unsupported { feature }) => {
                case.without.insert(
                    Reference::Interpreter,
                    format!("it does not support {feature}"),
                );
                None
            }
            Err(error) => return Err(format!("the interpreter: {error}")),
        },
        None => None,
    };
    let chain: Vec<_> = std::iter::once(&subject.ours)
        .chain(subject.partners.iter().map(|(_, ours, _)| ours))
        .collect();
    let ours = match execute::run_stages(device, &chain, &case) {
        Ok(observed) => observed,
        Err(NotRun::Skipped(what)) => return Err(format!("skipped: {what}")),
        Err(NotRun::Failed(what)) => return Err(what),
    };
    let chain: Option<Vec<_>> = std::iter::once(subject.dxc.as_ref())
        .chain(subject.partners.iter().map(|(_, _, dxc)| dxc.as_ref()))
        .collect();
    let theirs = match chain {
        Some(modules) => match run_linked(device, &modules, &case) {
            Ok(observed) => Some(observed),
            Err(NotRun::Skipped(what) | NotRun::Failed(what)) => {
                case.without.insert(Reference::Dxc, what);
                None
            }
        },
        None => {
            case.without
                .insert(Reference::Dxc, subject.no_dxc.clone().unwrap_or_default());
            None
        }
    };
    if interpreted.is_none() && theirs.is_none() {
        let reasons: Vec<_> = case.without.values().cloned().collect();
        return Err(format!("no reference: {}", reasons.join("; ")));
    }
    if let Some(interpreted) = &interpreted {
        agree(&mut case, &ours, interpreted)
            .map_err(|text| format!("the interpreter disagrees: {text}"))?;
    }
    if let Some(theirs) = &theirs
        && let Err(text) = agree(&mut case, &ours, theirs)
    {
        if interpreted.is_none() {
            return Err(format!("DXC's SPIR-V disagrees: {text}"));
        }
        remarks.push(format!("DXC's SPIR-V differs: {text}"));
        case.without.insert(
            Reference::Dxc,
            format!("it differs, the interpreter agrees with Trellis: {text}"),
        );
    }
    bless(&mut case, &ours)?;
    Ok((case, remarks))
}

/// Returns the case without expectations.
fn inputs(
    device: &Device,
    subject: &Subject,
    pattern: Pattern,
    elements: u64,
) -> Result<Case, String> {
    let modules: Vec<&SpirvModule> = std::iter::once(&subject.ours)
        .chain(subject.partners.iter().map(|(_, ours, _)| ours))
        .collect();
    let together = crate::rays::together(&modules)?;
    let bindings = guess::bindings(&subject.dxil, &together, pattern, elements)?;
    let mut case = Case {
        name: pattern.name().to_owned(),
        ..Case::default()
    };
    let wave = depends_on_wave(&together).then_some(device.features.wave_default);
    if let Some(wave) = wave {
        case.name = format!("{}, waves of {wave}", case.name);
    }
    if subject.stage == "compute" {
        case.dispatch = Some(Dispatch {
            groups: [1, 1, 1],
            wave,
            bindings,
            ..Dispatch::default()
        });
    } else {
        case.draw = Some(draw(subject, bindings, wave));
    }
    Ok(case)
}

pub(super) fn depends_on_wave(module: &SpirvModule) -> bool {
    module.capabilities.iter().any(|c| {
        *c != Capability::GroupNonUniformQuad && format!("{c:?}").starts_with("GroupNonUniform")
    })
}
