//! The specification's rules read literally: every construct a set of blocks.
