//! Finds the built UI: beside the executable's package, or in the checkout it was built in.

use std::path::PathBuf;

/// Looks for the folder with the page's `index.html`, from the executable upwards: `lib/deputy/ui` of an installed
/// package, then `dist` of a checkout.
pub(crate) fn find() -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?.canonicalize().ok()?;
    let folders = exe.ancestors().skip(1);
    let mut places = folders
        .flat_map(|folder| [folder.join("lib/deputy/ui"), folder.join("dist"), folder.join("src/dist")]);
    places.find(|place| place.join("index.html").is_file())
}
