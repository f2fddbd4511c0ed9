"""What `cargo xtask codegen` writes; nothing in here is written by hand."""
