//! Reads the states of git repositories, as they are and as they were before and after calls. Git reads them inside the
//! sandbox.

pub(crate) mod build_output;
pub(crate) mod past;
pub(crate) mod unit;
