//! The names of folders that hold only what programs make, such as build output and caches.

use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Names {
    caches: HashSet<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    // A test reads the file.
    toml::from_str(include_str!("built.toml")).unwrap_or(Names { caches: HashSet::new() })
});

/// Returns whether a folder holds only what programs make, wherever it is.
pub fn is_cache(folder: &Path) -> bool {
    folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| NAMES.caches.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_file() {
        assert!(is_cache(Path::new("/w/src/__pycache__")) && is_cache(Path::new("node_modules")));
        assert!(!is_cache(Path::new("/w/src")) && !is_cache(Path::new("/")));
    }
}
