//! The view-id state in the header.

use super::text::Text;
use crate::shader::{Dependence, ShaderKind, ViewIdState};

fn set(t: &mut Text, members: impl Iterator<Item = usize>) {
    t.push("{ ");
    for (i, m) in members.enumerate() {
        t.fmt(format_args!("{}{m}", if i == 0 { "" } else { ", " }));
    }
    t.push(" }\n");
}

fn bits(mask: &[u32]) -> impl Iterator<Item = usize> + '_ {
    (0..mask.len() * 32).filter(|&i| mask[i / 32] >> (i % 32) & 1 != 0)
}

/// Writes `output N depends on inputs: { … }` for each of `outputs` that depends on any.
fn table(t: &mut Text, outputs: u32, inputs: &[Vec<u32>]) {
    for o in 0..outputs as usize {
        let has = |m: &Vec<u32>| m.get(o / 32).is_some_and(|w| w >> (o % 32) & 1 != 0);
        if inputs.iter().any(has) {
            t.fmt(format_args!(";   output {o} depends on inputs: "));
            set(t, (0..inputs.len()).filter(|&i| has(&inputs[i])));
        }
    }
}

pub(super) fn write(t: &mut Text, kind: ShaderKind, state: &ViewIdState) {
    t.fmt(format_args!(
        ";\n; ViewId state:\n;\n; Number of inputs: {}",
        state.inputs
    ));
    let geometry = kind == ShaderKind::Geometry;
    if geometry {
        t.push(", outputs per stream: { ");
        let counts: Vec<String> = state
            .streams
            .iter()
            .map(|s| s.outputs.to_string())
            .collect();
        t.push(&counts.join(", "));
        t.push(" }");
    } else {
        t.fmt(format_args!(
            ", outputs: {}",
            state.streams.first().map_or(0, |s| s.outputs)
        ));
    }
    let (patch_count, patch_name) = if kind == ShaderKind::Mesh {
        ("primitive outputs", "Primitive Outputs")
    } else {
        ("patchconst", "PCOutputs")
    };
    if let Some(p) = &state.patch {
        t.fmt(format_args!(", {patch_count}: {}", p.outputs));
    }
    t.push("\n");
    let shown = |s: &&(usize, &Dependence)| !geometry || s.1.outputs > 0;
    let streams: Vec<(usize, &Dependence)> = state.streams.iter().enumerate().collect();
    let suffix = |i: usize| {
        if geometry {
            format!(" for Stream {i}")
        } else {
            String::new()
        }
    };
    for (i, s) in streams.iter().filter(shown) {
        t.fmt(format_args!(
            "; Outputs{} dependent on ViewId: ",
            suffix(*i)
        ));
        set(t, bits(&s.view_id));
    }
    if let (Some(p), ShaderKind::Hull | ShaderKind::Mesh) = (&state.patch, kind) {
        t.fmt(format_args!("; {patch_name} dependent on ViewId: "));
        set(t, bits(&p.view_id));
    }
    for (i, s) in streams.iter().filter(shown) {
        t.fmt(format_args!(
            "; Inputs contributing to computation of Outputs{}:\n",
            suffix(*i)
        ));
        table(t, s.outputs, &s.inputs);
    }
    match (&state.patch, kind) {
        (Some(p), ShaderKind::Domain) => {
            t.push("; PCInputs contributing to computation of Outputs:\n");
            table(t, state.streams.first().map_or(0, |s| s.outputs), &p.inputs);
        }
        (Some(p), _) => {
            t.fmt(format_args!(
                "; Inputs contributing to computation of {patch_name}:\n"
            ));
            table(t, p.outputs, &p.inputs);
        }
        (None, _) => {}
    }
    t.push(";\n");
}
