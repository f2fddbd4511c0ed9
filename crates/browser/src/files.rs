//! File transfers between pages and the task: downloads that a call requested, and uploads.
//!
//! The browser only sees its profile. Uploaded files are copied into it, and downloads are taken from it.

use crate::element::Info;
use crate::words::cut;
use crate::world::Progress;
use crate::{Browser, BrowserError};
use deputy_messages::browser as say;
use rustix::fs::{Mode, OFlags, open};
use serde_json::json;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The maximum size of a download, and of all files that a call uploads, in bytes.
pub const MOST_FILE_BYTES: u64 = 100 * 1000 * 1000;
/// The time limits for a download to begin and to end.
const BEGINNING: Duration = Duration::from_secs(10);
const ENDING: Duration = Duration::from_secs(90);

/// A downloaded file.
#[derive(Clone, Debug)]
pub struct Downloaded {
    /// The name suggested by the site.
    pub name: String,
    /// The address of the file.
    pub url: String,
    /// The content.
    pub content: Vec<u8>,
}

/// A file to upload.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The name, without folders.
    pub name: String,
    /// The content.
    pub content: Vec<u8>,
}

impl Browser {
    /// Clicks an element and returns the file that is downloaded. `expected` is the information that was approved.
    ///
    /// # Errors
    ///
    /// [`BrowserError`], including when no file arrives.
    pub async fn download(&self, reference: &str, expected: &Info) -> Result<Downloaded, BrowserError> {
        let folder = self.profile().join("downloads");
        std::fs::create_dir_all(&folder).map_err(BrowserError::refused)?;
        self.world.expect_download(true);
        let open = json!({"behavior": "allowAndName", "downloadPath": folder, "eventsEnabled": true});
        let opened = self.call("", "Browser.setDownloadBehavior", open).await;
        let downloaded = match opened {
            Ok(_) => self.clicked_and_saved(reference, expected, &folder).await,
            Err(error) => Err(error),
        };
        self.world.expect_download(false);
        let shut = json!({"behavior": "deny", "eventsEnabled": true});
        self.call("", "Browser.setDownloadBehavior", shut).await?;
        downloaded
    }

    async fn clicked_and_saved(
        &self,
        reference: &str,
        expected: &Info,
        folder: &Path,
    ) -> Result<Downloaded, BrowserError> {
        self.click(reference, expected).await?;
        let begun = self.world.until(|world| world.download());
        let none = |_| BrowserError::Unfit(say::no_file_came(reference));
        let begun = tokio::time::timeout(BEGINNING, begun).await.map_err(none)?;
        let ended = self.world.until(|world| {
            let now = world.download()?;
            let is_over = now.progress != Progress::Running || now.received > MOST_FILE_BYTES;
            is_over.then_some(now)
        });
        let ended = tokio::time::timeout(ENDING, ended).await.unwrap_or(begun);
        let name = cut(&ended.name, 100);
        if ended.progress == Progress::Running {
            self.world.pipe.tell("", "Browser.cancelDownload", json!({"guid": ended.guid}));
            let why = match ended.received > MOST_FILE_BYTES {
                true => say::larger_than(MOST_FILE_BYTES / 1_000_000),
                false => say::not_there_after(ENDING.as_secs()),
            };
            return Err(BrowserError::Refused(say::not_downloaded(name, why)));
        }
        if ended.progress == Progress::Failed {
            return Err(BrowserError::Refused(say::download_broke_off(name)));
        }
        // The browser names the file after the download's id, which it generates and which is not a path.
        let file = folder.join(ended.guid.replace(['/', '\\'], ""));
        let content = tokio::task::spawn_blocking(move || {
            let content = taken(&file);
            let _ = std::fs::remove_file(&file);
            content
        });
        let content = content.await.map_err(BrowserError::refused)?;
        let content = content.map_err(|error| BrowserError::refused(format!("{name}: {error}")))?;
        Ok(Downloaded { name: ended.name, url: ended.url, content })
    }

    /// Uploads files to an element. `expected` is the information that was approved.
    ///
    /// # Errors
    ///
    /// [`BrowserError`]; in that case nothing was uploaded.
    pub async fn upload(
        &self,
        reference: &str,
        files: Vec<Upload>,
        expected: &Info,
    ) -> Result<crate::Changes, BrowserError> {
        let element = self.find(reference).await?;
        self.is_as_expected(reference, &element, expected).await?;
        if expected.secret != "file" {
            return Err(BrowserError::Unfit(say::takes_no_files(reference)));
        }
        let folder = tempfile::Builder::new().prefix("upload-").tempdir_in(self.profile());
        let folder = folder.map_err(BrowserError::refused)?.keep();
        let mut paths = Vec::with_capacity(files.len());
        for (index, file) in files.iter().enumerate() {
            // Files from different folders may have the same name.
            let place = folder.join(index.to_string());
            let path = place.join(&file.name);
            let copied = std::fs::create_dir(&place).and_then(|()| std::fs::write(&path, &file.content));
            copied.map_err(|error| BrowserError::refused(format!("{}: {error}", file.name)))?;
            paths.push(path);
        }
        let given = json!({"files": paths, "backendNodeId": element.backend});
        let giving = async { self.call(&element.session, "DOM.setFileInputFiles", given).await.map(drop) };
        self.sending(None, &element.session, giving).await?;
        self.changes().await
    }
}

/// Reads a file that the browser wrote. Does not follow links.
fn taken(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut content = Vec::new();
    file.take(MOST_FILE_BYTES + 1).read_to_end(&mut content)?;
    match content.len() as u64 > MOST_FILE_BYTES {
        true => Err(std::io::Error::other("it is too large")),
        false => Ok(content),
    }
}
