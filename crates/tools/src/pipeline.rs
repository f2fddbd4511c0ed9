//! The parts of a command's last pipeline. The exit code of a pipeline is that of its last part, so that `sort | wc -l`
//! ends well with a wrong number if `sort` failed. The shell reports the exit codes of all parts when it ends.

use deputy_protocol::CallId;
use deputy_sandbox::ChildSpec;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// A part of a pipeline that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailedPart {
    /// Its place in the pipeline, from 1.
    pub(crate) part: usize,
    /// The number of parts.
    pub(crate) of: usize,
    pub(crate) exit_code: i32,
}

/// The report of a command about its last pipeline.
pub(crate) struct LastPipeline {
    /// What the shell runs before the command's own text, on the same line.
    prefix: String,
    report: PathBuf,
}

impl LastPipeline {
    /// Has a command report its last pipeline, if it can have one. It needs the folder for temporary files.
    pub(crate) fn watch(spec: &mut ChildSpec, call: &CallId) -> Option<Self> {
        let name = format!(".pipeline-{call}");
        let report = spec.scratch.as_ref()?.join(&name);
        let text = spec.argv.last_mut().filter(|text| text.to_string_lossy().contains('|'))?;
        let prefix = format!(r#"trap "echo \"\${{PIPESTATUS[*]}}\" >|${{TMPDIR@Q}}/{name}" EXIT;"#);
        let mut whole = std::ffi::OsString::from(&prefix);
        whole.push(&*text);
        *text = whole;
        Some(Self { prefix, report })
    }

    /// Returns an error message of the shell without the text that [`Self::watch`] added to the command.
    pub(crate) fn hide_prefix(&self, message: &mut Vec<u8>) {
        let prefix = self.prefix.as_bytes();
        if let Some(at) = message.windows(prefix.len()).position(|window| window == prefix) {
            message.drain(at..at + prefix.len());
        }
    }

    /// Takes the report: the first part that failed, by a signal or with an exit code above 1. Many programs mean "no"
    /// by 1, such as `grep`, and a part that wrote to one which had ended is no failure.
    pub(crate) fn failed(self) -> Option<FailedPart> {
        const MOST_BYTES: u64 = 4096;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut report = String::new();
        let opened = File::from(openat(CWD, &self.report, flags, Mode::empty()).ok()?);
        opened.take(MOST_BYTES).read_to_string(&mut report).ok()?;
        // If it stays, the folder goes with the task.
        let _ = std::fs::remove_file(&self.report);
        failed_part(&report)
    }
}

fn failed_part(report: &str) -> Option<FailedPart> {
    const BY_BROKEN_PIPE: i32 = 128 + 13;
    let codes: Vec<i32> = report.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    // The last part's exit code is that of the pipeline.
    let (_, earlier) = codes.split_last()?;
    let at = earlier.iter().position(|code| *code > 1 && *code != BY_BROKEN_PIPE)?;
    Some(FailedPart { part: at + 1, of: codes.len(), exit_code: codes[at] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failed_part_of_a_pipeline() {
        let failed = |report| failed_part(report).map(|failed| (failed.part, failed.of, failed.exit_code));
        assert_eq!(failed("0 2 0 0\n"), Some((2, 4, 2)));
        assert_eq!(failed("137 0\n"), Some((1, 2, 137)));
        for well in ["0\n", "7\n", "1 0\n", "141 0\n", "0 5\n", "", "0 x 2 0"] {
            assert_eq!(failed(well), None, "{well}");
        }
    }
}
