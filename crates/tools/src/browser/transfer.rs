//! File transfers between a page and the task's folder. A download is judged like any new file, an upload like any
//! read.

use super::call::{DownloadCall, UploadCall};
use super::told;
use crate::files::Files;
use crate::text::{one_line, shown, size};
use crate::tool::CallContext;
use deputy_browser::{Browser, BrowserError, Info, MOST_FILE_BYTES, Upload};
use deputy_messages::browser as say;
use deputy_protocol::{CallStatus, ToolResult};
use std::io::Read;
use std::path::Path;

/// The maximum number of files in a call.
pub(super) const MOST_FILES: usize = 20;

/// Clicks, and saves the file that is downloaded.
pub(super) async fn download(
    browser: &Browser,
    call: DownloadCall,
    expected: &Info,
    cx: &CallContext,
) -> Result<ToolResult, BrowserError> {
    let refused = |error: crate::code::CodeError| BrowserError::Refused(error.into());
    crate::code::may_change(&call.to, cx).map_err(refused)?;
    let file = browser.download(&call.reference, expected).await?;
    let bytes = size(file.content.len() as u64);
    let changes = crate::code::write_new(&call.to, file.content, cx).await.map_err(refused)?;
    let summary = say::saved(shown(call.to.as_ref()), bytes);
    let (name, url) = (one_line(&file.name, 100), one_line(&file.url, 300));
    let content = format!("{summary}\n{name} from {url}. It was not opened.");
    Ok(ToolResult { summary, changes, ..ToolResult::new(CallStatus::Ok, content) })
}

/// Uploads files to a page.
pub(super) async fn upload(
    browser: &Browser,
    call: UploadCall,
    expected: &Info,
    cx: &CallContext,
) -> Result<ToolResult, BrowserError> {
    let (paths, context) = (call.paths, cx.clone());
    let files = tokio::task::spawn_blocking(move || read(&paths, &context)).await;
    let files = files.map_err(BrowserError::refused)??;
    let count = files.len();
    let changes = browser.upload(&call.reference, files, expected).await?;
    Ok(told::changes(|url| say::handed_over(count, url), &changes, cx))
}

fn read(paths: &[String], cx: &CallContext) -> Result<Vec<Upload>, BrowserError> {
    let refused = |error: crate::files::FileError| BrowserError::Refused(error.into());
    let files = Files::of(cx).map_err(refused)?;
    let mut left = MOST_FILE_BYTES;
    let mut read = Vec::with_capacity(paths.len());
    for path in paths {
        let file = files.find(path).and_then(|found| found.file()).map_err(refused)?;
        let mut content = Vec::new();
        let broke =
            |error: std::io::Error| BrowserError::refused(format!("{}: {error}", shown(path.as_ref())));
        file.take(left + 1).read_to_end(&mut content).map_err(broke)?;
        left = left
            .checked_sub(content.len() as u64)
            .ok_or_else(|| BrowserError::Unfit(say::too_much_at_once(size(MOST_FILE_BYTES))))?;
        let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        read.push(Upload { name: name.unwrap_or_default(), content });
    }
    Ok(read)
}
