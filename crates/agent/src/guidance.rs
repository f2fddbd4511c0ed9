//! Guidance files: `AGENTS.md` and skills (`.agents/skills/NAME/SKILL.md`) of a workspace and its parents, and the
//! user's own in Deputy's home. The folders that the user trusts are stored in `guidance.toml` in the home.
//!
//! A folder written by a stranger can contain such files too, so nothing of a folder becomes part of a prompt before
//! the user has trusted its guidance. Links are not followed, because they could point to a secret.

use deputy_messages::agent as say;
use deputy_protocol::{GuidanceFolder, GuidanceText, Phrase, Skill};
use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const AGENTS: &str = "AGENTS.md";
const SKILLS: &str = ".agents/skills";
const SKILL: &str = "SKILL.md";
const DECISIONS: &str = "guidance.toml";
/// The maximum number of bytes read from a file.
const MOST_BYTES: usize = 32 * 1024;
/// The maximum number of skills in one folder, and the maximum length of a description and of a name, in characters.
const MOST_SKILLS: usize = 40;
const ABOUT_CHARS: usize = 240;
const NAME_CHARS: usize = 60;

/// The guidance files of one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The canonical path of the folder.
    pub(crate) folder: PathBuf,
    agents: Option<PathBuf>,
    skills: Vec<Skill>,
}

impl Found {
    /// Returns the guidance directly in a folder. `None` if there is none.
    fn of(folder: &Path, skills: &Path) -> Option<Self> {
        let agents = folder.join(AGENTS);
        let agents = is_plain_file(&agents).then_some(agents);
        let skills = skills_in(&folder.join(skills));
        (agents.is_some() || !skills.is_empty()).then(|| Self { folder: folder.to_owned(), agents, skills })
    }

    /// Returns a summary for asking the user.
    pub(crate) fn in_short(&self) -> GuidanceFolder {
        let agents = self.agents.iter().map(|_| AGENTS.to_owned());
        let skills = self.skills.iter().map(|skill| format!("skill {}", skill.name));
        GuidanceFolder {
            folder: self.folder.to_string_lossy().into_owned(),
            files: agents.chain(skills).collect(),
        }
    }

    /// Reads the text for the planner, with secrets redacted.
    pub(crate) fn read(self) -> (Option<GuidanceText>, Vec<Skill>) {
        let text = self.agents.and_then(|path| {
            let text = text_of(&path).ok()?;
            Some(GuidanceText { path: path.to_string_lossy().into_owned(), text })
        });
        (text.filter(|found| !found.text.trim().is_empty()), self.skills)
    }
}

/// Returns the folders with guidance from the user's home down to the workspace, or from the root if the workspace is
/// outside the home. Only folders that the user owns are included.
pub(crate) fn around(workspace: &Path, home: &Path) -> Vec<Found> {
    let owner = rustix::process::geteuid().as_raw();
    let is_own = |folder: &&Path| std::fs::metadata(folder).is_ok_and(|meta| meta.uid() == owner);
    let mut folders: Vec<&Path> = Vec::new();
    for folder in workspace.ancestors() {
        folders.push(folder);
        if folder == home {
            break;
        }
    }
    folders.reverse();
    folders.into_iter().filter(is_own).filter_map(|folder| Found::of(folder, Path::new(SKILLS))).collect()
}

/// Returns the user's own guidance, which applies to every task.
pub(crate) fn of_user(home: &Path) -> Option<Found> {
    Found::of(home, Path::new("skills"))
}

/// Returns the text of a skill that a task was offered, and the names of the files next to it.
pub(crate) fn skill_text(skill: &Skill) -> std::io::Result<String> {
    let path = Path::new(&skill.path);
    let text = text_of(path)?;
    let folder = path.parent().unwrap_or(path);
    let mut files: Vec<String> = std::fs::read_dir(folder)?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name != SKILL)
        .collect();
    files.sort();
    files.truncate(MOST_SKILLS);
    let next_to = match files.as_slice() {
        [] => String::new(),
        files => format!("\n\nFiles next to it in {}: {}", folder.display(), files.join(", ")),
    };
    Ok(format!("[skill {}, from {}]\n{}{next_to}", skill.name, skill.path, text.trim()))
}

fn is_plain_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Returns the skills below a folder, by name. Neither the folder nor its content may be a link.
fn skills_in(folder: &Path) -> Vec<Skill> {
    if !folder.canonicalize().is_ok_and(|real| real == folder) {
        return Vec::new();
    }
    let mut found: Vec<Skill> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| skill_at(&entry.path()))
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found.truncate(MOST_SKILLS);
    found
}

fn skill_at(folder: &Path) -> Option<Skill> {
    let path = folder.join(SKILL);
    let text = is_plain_file(&path).then(|| text_of(&path).ok()).flatten()?;
    let head = front_matter(&text);
    let named = head.get("name").cloned().or_else(|| folder.file_name()?.to_str().map(str::to_owned))?;
    Some(Skill {
        name: one_line(&named, NAME_CHARS),
        description: one_line(head.get("description")?, ABOUT_CHARS),
        path: path.to_str()?.to_owned(),
    })
}

/// Parses the front matter between two lines of `---`: `key: value`, quoted or not. Indented lines continue the value.
fn front_matter(text: &str) -> BTreeMap<String, String> {
    let mut lines = text.lines();
    let mut found = BTreeMap::<String, String>::new();
    if lines.next().map(str::trim_end) != Some("---") {
        return found;
    }
    let mut key = String::new();
    for line in lines.take_while(|line| line.trim_end() != "---") {
        if line.starts_with([' ', '\t']) {
            let value = found.entry(key.clone()).or_default();
            value.push(' ');
            value.push_str(line.trim());
        } else if let Some((name, value)) = line.split_once(':') {
            key = name.trim().to_owned();
            let value = value.trim();
            let value = if matches!(value, "|" | ">" | "|-" | ">-") { "" } else { value };
            found.insert(key.clone(), value.trim_matches(['"', '\'']).to_owned());
        }
    }
    found
}

/// Reads the beginning of a file, with secrets redacted.
fn text_of(path: &Path) -> std::io::Result<String> {
    let no_link = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(no_link.bits()).unwrap_or_default();
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() > MOST_BYTES;
    bytes.truncate(MOST_BYTES);
    let text = String::from_utf8_lossy(&bytes);
    let mut text = crate::redact::text(&text).into_owned();
    if is_cut {
        text.push_str("\n[the rest of this file is left out]");
    }
    Ok(text)
}

fn one_line(text: &str, most: usize) -> String {
    text.trim().chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The folders that the user trusts, and those that the user does not want to be asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decisions(BTreeMap<String, bool>);

/// The reason why decisions could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) struct DecisionsError {
    path: PathBuf,
    is_read: bool,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl DecisionsError {
    /// Returns the message for this error.
    pub(crate) fn phrase(&self) -> Phrase {
        let (path, source) = (self.path.display(), &self.source);
        match self.is_read {
            true => say::guidance_decisions_unreadable(path, source),
            false => say::guidance_decisions_unwritable(path, source),
        }
    }
}

deputy_messages::said_by_phrase!(DecisionsError);

impl Decisions {
    /// Loads the decisions of a home.
    pub(crate) fn load(home: &Path) -> Result<Self, DecisionsError> {
        let path = home.join(DECISIONS);
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| DecisionsError {
            path: path.clone(),
            is_read: true,
            source,
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Self(toml::from_str(&text).map_err(|error| failed(error.into()))?)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failed(error.into())),
        }
    }

    /// Returns whether a folder's guidance is trusted. `None` if the user was not asked.
    pub(crate) fn of(&self, folder: &Path) -> Option<bool> {
        self.0.get(folder.to_str()?).copied()
    }

    /// Saves a decision atomically.
    pub(crate) fn keep(
        mut self,
        home: &Path,
        folders: &[String],
        is_trusted: bool,
    ) -> Result<(), DecisionsError> {
        const HEAD: &str = "# Folders with instructions for agents (AGENTS.md, skills): true where tasks follow them, false where they are\n\
                            # ignored. Take a line out to be asked again.\n";
        self.0.extend(folders.iter().map(|folder| (folder.clone(), is_trusted)));
        let path = home.join(DECISIONS);
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| DecisionsError {
            path: path.clone(),
            is_read: false,
            source,
        };
        let text = toml::to_string(&self.0).map_err(|error| failed(error.into()))?;
        let written = tempfile::NamedTempFile::new_in(home).and_then(|mut file| {
            std::io::Write::write_all(&mut file, format!("{HEAD}{text}").as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        });
        written.map(drop).map_err(|error| failed(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    fn real(folder: &tempfile::TempDir) -> PathBuf {
        folder.path().canonicalize().unwrap()
    }

    #[test]
    fn guidance_is_found_from_the_home_down_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let home = real(&folder);
        let workspace = home.join("work/project");
        create_dir_all(workspace.join(".agents/skills/release")).unwrap();
        create_dir_all(workspace.join(".agents/skills/empty")).unwrap();
        write(home.join("AGENTS.md"), "Write short.").unwrap();
        write(home.join("secret"), "token").unwrap();
        write(workspace.join("AGENTS.md"), "Use tabs.").unwrap();
        let head =
            "---\nname: release\ndescription: >-\n  Cut a release:\n  tag it\nlicense: MIT\n---\nDo it.";
        write(workspace.join(".agents/skills/release/SKILL.md"), head).unwrap();
        write(workspace.join(".agents/skills/release/tag.sh"), "git tag").unwrap();
        std::os::unix::fs::symlink(home.join("secret"), home.join("work/AGENTS.md")).unwrap();
        let found = around(&workspace, &home);
        let told: Vec<GuidanceFolder> = found.iter().map(Found::in_short).collect();
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!(told[0], GuidanceFolder { folder: path(&home), files: vec!["AGENTS.md".into()] });
        assert_eq!(told[1].files, ["AGENTS.md", "skill release"]);
        let (text, skills) = found[1].clone().read();
        assert_eq!(text.unwrap().text, "Use tabs.");
        assert_eq!(skills[0].description, "Cut a release: tag it");
        let text = skill_text(&skills[0]).unwrap();
        assert!(text.contains("Do it.") && text.ends_with(": tag.sh"), "{text}");
        assert_eq!(around(&home.join("work"), &home).len(), 1, "what is below is not looked at");
    }

    #[test]
    fn a_linked_folder_of_skills_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let home = real(&folder);
        create_dir_all(home.join("elsewhere/one")).unwrap();
        write(home.join("elsewhere/one/SKILL.md"), "---\ndescription: x\n---\n").unwrap();
        create_dir_all(home.join("w/.agents")).unwrap();
        std::os::unix::fs::symlink(home.join("elsewhere"), home.join("w/.agents/skills")).unwrap();
        assert!(around(&home.join("w"), &home).is_empty());
    }

    #[test]
    fn decisions_are_kept_folder_by_folder_and_a_broken_file_is_no_decision() {
        let folder = tempfile::tempdir().unwrap();
        let home = real(&folder);
        let load = || Decisions::load(&home);
        load().unwrap().keep(&home, &["/a b/\"c\"".to_owned(), "/d".to_owned()], true).unwrap();
        load().unwrap().keep(&home, &["/e".to_owned()], false).unwrap();
        let kept = load().unwrap();
        let of = |folder: &str| kept.of(Path::new(folder));
        assert_eq!((of("/a b/\"c\""), of("/e"), of("/d/below")), (Some(true), Some(false), None));
        write(home.join(DECISIONS), "no toml").unwrap();
        assert!(load().unwrap_err().to_string().contains("guidance.toml"));
    }

    #[test]
    fn a_head_is_read_and_what_is_no_head_is_not() {
        let head = front_matter("---\nname: \"a b\"\ndescription: 'does: it'\n---\nname: no");
        assert_eq!((head["name"].as_str(), head["description"].as_str()), ("a b", "does: it"));
        assert!(front_matter("name: x\n---").is_empty());
    }
}
