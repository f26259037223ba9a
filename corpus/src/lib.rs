//! Sets of shaders: manifests, batch conversion, reports.

pub mod manifest;
