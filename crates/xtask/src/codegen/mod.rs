//! Generates code for other languages from the protocol's types, and schemas from the types of policy's data. All
//! generated files are committed.

mod json_schema;
mod messages;
mod python;
mod reference;
mod roots;
mod shape;
mod text;
mod typescript;

use shape::{Shapes, UnknownShape};
use std::path::{Path, PathBuf};

/// The command that regenerates the files, for error messages.
const MENDING: &str = "cargo xtask codegen";

/// Why nothing was written, or which files differ.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CodegenError {
    #[error("cannot translate the protocol's types: {source}")]
    Shape {
        #[from]
        source: UnknownShape,
    },
    #[error("cannot write the sidecar's messages: {problem}")]
    Messages { problem: String },
    #[error("cannot write {}: {source}; check that the folder is writable", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("not what the types say: {}; run `{MENDING}` and commit the result", list(paths))]
    Drift { paths: Vec<&'static str> },
}

/// A generated file.
struct Output {
    path: &'static str,
    content: String,
}

/// Returns all generated files.
fn outputs(root: &Path) -> Result<Vec<Output>, CodegenError> {
    let shapes = Shapes::of_protocol()?;
    let [commands, effects, secrets, guarded, loans] =
        deputy_policy::schemas().map(|schema| format!("{schema:#}\n"));
    Ok(vec![
        Output { path: "crates/policy/data/commands.schema.json", content: commands },
        Output { path: "crates/policy/data/effects.schema.json", content: effects },
        Output { path: "crates/policy/data/secrets.schema.json", content: secrets },
        Output { path: "crates/policy/data/guarded.schema.json", content: guarded },
        Output { path: "crates/policy/data/loans.schema.json", content: loans },
        Output { path: "crates/protocol/generated/protocol.schema.json", content: json_schema::render() },
        Output { path: "crates/protocol/generated/protocol.ts", content: typescript::render(&shapes) },
        Output { path: "sidecar/deputy_sidecar/generated/protocol.py", content: python::render(&shapes)? },
        Output { path: "sidecar/deputy_sidecar/generated/messages.py", content: messages::render()? },
        Output { path: reference::PAGE, content: reference::render(&root.join(reference::PAGE)) },
    ])
}

/// Writes the files below the root of the repository.
pub(crate) fn write(root: &Path) -> Result<(), CodegenError> {
    for output in outputs(root)? {
        let path = root.join(output.path);
        let folder = path.parent().unwrap_or(root);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, &output.content))
            .map_err(|source| CodegenError::Write { path, source })?;
    }
    Ok(())
}

/// Fails with the names of the files that are missing or outdated.
pub(crate) fn check(root: &Path) -> Result<(), CodegenError> {
    let drifted = |output: &Output| {
        std::fs::read_to_string(root.join(output.path)).ok().as_deref() != Some(&output.content)
    };
    let paths: Vec<_> =
        outputs(root)?.iter().filter(|output| drifted(output)).map(|output| output.path).collect();
    if paths.is_empty() { Ok(()) } else { Err(CodegenError::Drift { paths }) }
}

fn list(paths: &[&str]) -> String {
    paths.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_accepts_what_write_wrote_and_names_what_drifted() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        check(folder.path()).unwrap();

        let path = "crates/protocol/generated/protocol.ts";
        std::fs::write(folder.path().join(path), "export type Other = string;\n").unwrap();
        let error = check(folder.path()).unwrap_err();
        assert!(matches!(&error, CodegenError::Drift { paths } if paths == &[path]), "{error}");
        assert!(error.to_string().contains(path));
    }

    #[test]
    fn a_missing_file_has_drifted() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(check(folder.path()), Err(CodegenError::Drift { paths }) if paths.len() == 10));
    }

    #[test]
    fn what_is_committed_is_what_the_types_say() {
        check(&crate::workspace_root()).unwrap();
    }
}
