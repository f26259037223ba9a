//! Sets of shaders: manifests, batch conversion, reports.
//!
//! A batch is three steps, each a module that can be used alone:
//!
//! 1. [`inputs::collect`] turns files, folders and manifests into a list of [`inputs::Input`]s;
//! 2. [`outputs::plan`] gives each a path below the output folder, without collisions;
//! 3. [`batch::run`] converts all of them on a pool of threads and returns a [`report::Report`] in
//!    input order, the same whatever the number of threads.
//!
//! What converts one shader is a [`converter::Converter`]; [`backend::Backend`] is the real one.
//! [`html::render`] makes a page of a report.

pub mod backend;
pub mod batch;
pub mod converter;
pub mod failure;
pub mod guard;
pub mod html;
pub mod inputs;
pub mod manifest;
pub mod outputs;
pub mod report;
