//! Sets of shaders: manifests, batch conversion, reports.
//!
//! A batch has three steps, each a module that can be used separately:
//!
//! 1. [`inputs::collect`] turns files, folders, archives and manifests into a list of [`inputs::Input`]s;
//! 2. [`outputs::plan`] gives each a path below the output folder, without collisions;
//! 3. [`batch::run`] converts all of them on a pool of threads and returns the results in input order,
//!    independent of the number of threads; [`batch::run_spooled`] has them in temporary files.
//!
//! A [`converter::Converter`] converts one shader; [`backend::Backend`] is the implementation that
//! calls the translator, [`isolate::Isolated`] runs it in other processes. [`html::render`] renders
//! a report as an HTML page, [`junit::render`] as the test results that CI systems read,
//! [`sarif::render`] as the results of an analysis. [`compare::compare`] compares two batches.
//! [`modules`] reads SPIR-V files, [`minimize`] chooses the shaders of a set that are needed to
//! keep its features, and [`reduce`] shrinks a shader while a condition holds.

pub mod backend;
pub mod batch;
pub mod cache;
pub mod compare;
pub mod converter;
pub mod details;
pub mod failure;
mod feed;
pub mod files;
pub mod guard;
pub mod html;
pub mod inputs;
pub mod isolate;
pub mod junit;
mod leftovers;
pub mod manifest;
mod measure;
pub mod minimize;
pub mod modules;
pub mod outputs;
mod record;
pub mod reduce;
pub mod report;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod shard;
pub mod spool;
pub mod table;
mod temporary;
