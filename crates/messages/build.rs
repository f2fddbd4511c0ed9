//! Turns the English catalogue into Rust: see `build/catalogue.rs`.

#[path = "build/catalogue.rs"]
mod catalogue;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    for place in ["build", "en", "de"] {
        println!("cargo::rerun-if-changed={place}");
    }
    match catalogue::render(Path::new(&std::env::var("CARGO_MANIFEST_DIR")?)) {
        Ok(code) => std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("messages.rs"), code)?,
        Err(error) => println!("cargo::error={error}"),
    }
    Ok(())
}
