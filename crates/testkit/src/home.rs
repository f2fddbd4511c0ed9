//! A temporary home of Deputy with its configuration, and a workspace with files.

use crate::{ScriptedModel, deputy_binary};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use toml::{Table, Value};

/// A home, a workspace and a folder for the user's own files. They are deleted when dropped.
pub struct TempHome {
    root: TempDir,
    config: Table,
}

impl TempHome {
    /// Creates an empty home and an empty workspace.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("deputy-test-").tempdir()?;
        for folder in ["deputy", "workspace", "user"] {
            fs::create_dir(root.path().join(folder))?;
        }
        Ok(Self { root, config: Table::new() })
    }

    /// Returns the folder that contains all of them.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Returns the folder for `DEPUTY_HOME`: configuration, data and socket.
    pub fn path(&self) -> PathBuf {
        self.root.path().join("deputy")
    }

    /// Returns the folder in which tasks work.
    pub fn workspace(&self) -> PathBuf {
        self.root.path().join("workspace")
    }

    /// Returns the folder for `HOME`, next to the workspace.
    pub fn user(&self) -> PathBuf {
        self.root.path().join("user")
    }

    /// Sets a key of `config.toml`, e.g. `backends.openai_compatible.model`, and writes the file.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> io::Result<&mut Self> {
        insert(&mut self.config, key, value.into())?;
        fs::write(self.path().join("config.toml"), self.config.to_string())?;
        Ok(self)
    }

    /// Makes a scripted model the default backend.
    pub fn use_model(&mut self, model: &ScriptedModel) -> io::Result<&mut Self> {
        self.use_model_at(model.url(), model.name())
    }

    /// Makes the model `name` of the server at `url` (with its `/v1`) the default backend.
    pub fn use_model_at(&mut self, url: &str, name: &str) -> io::Result<&mut Self> {
        self.set("backend", "openai_compatible")?
            .set("backends.openai_compatible.base_url", url)?
            .set("backends.openai_compatible.model", name)
    }

    /// Writes a file to the workspace and creates its parent folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.workspace().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content)?;
        Ok(path)
    }

    /// Reads a text file in the workspace.
    pub fn read(&self, path: impl AsRef<Path>) -> io::Result<String> {
        fs::read_to_string(self.workspace().join(path))
    }

    /// Returns a command that runs the built `deputy` in this home and workspace, with a minimal environment.
    pub fn deputy(&self) -> io::Result<Command> {
        let mut command = Command::new(deputy_binary()?);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.user())
            .env("LANG", "C.UTF-8")
            .env("DEPUTY_HOME", self.path())
            .current_dir(self.workspace());
        Ok(command)
    }
}

fn insert(table: &mut Table, key: &str, value: Value) -> io::Result<()> {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
            Ok(())
        }
        Some((first, rest)) => match table.entry(first).or_insert_with(|| Value::Table(Table::new())) {
            Value::Table(inner) => insert(inner, rest, value),
            _ => Err(io::Error::other(format!("`{first}` is a value already, it cannot hold `{rest}`"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configuration_and_files_are_where_they_belong_and_go_with_the_home() {
        let mut home = TempHome::new().unwrap();
        home.use_model_at("http://127.0.0.1:1/v1", "scripted")
            .unwrap()
            .set("limits.max_iterations", 7)
            .unwrap();
        let config: Table = fs::read_to_string(home.path().join("config.toml")).unwrap().parse().unwrap();
        assert_eq!(config["backend"].as_str(), Some("openai_compatible"));
        assert_eq!(config["backends"]["openai_compatible"]["model"].as_str(), Some("scripted"));
        assert_eq!(config["limits"]["max_iterations"].as_integer(), Some(7));
        assert!(home.set("backend.name", "x").is_err());

        let file = home.write("a/b.txt", "content").unwrap();
        assert_eq!(home.read("a/b.txt").unwrap(), "content");
        drop(home);
        assert!(!file.exists());
    }
}
