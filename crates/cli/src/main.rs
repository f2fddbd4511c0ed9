//! The command line: the binary `deputy`.

fn main() {}
