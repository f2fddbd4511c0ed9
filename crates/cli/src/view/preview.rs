//! What a remembered answer would have let through in the past, in words.

use super::screen::Screen;
use super::text::{printable, when};
use deputy_protocol::GrantPreview;

/// Shows what a grant would have let through.
pub(crate) fn show(screen: &Screen, preview: &GrantPreview) {
    for line in lines(preview) {
        screen.line(&line);
    }
}

fn lines(preview: &GrantPreview) -> Vec<String> {
    let mut lines = vec![format!("  {}", printable(&preview.label))];
    let counted = match (preview.calls, preview.and_more) {
        (0, false) => "it would have let nothing else through".to_owned(),
        (1, false) => "it would have let 1 other call through".to_owned(),
        (calls, false) => format!("it would have let {calls} other calls through"),
        (calls, true) => format!("it would have let at least {calls} other calls through"),
    };
    let refused = match preview.refused {
        0 => String::new(),
        refused => format!(", {refused} of which you refused"),
    };
    lines.push(format!("  In the last {} days {counted}{refused}.", preview.days));
    for call in &preview.samples {
        let mark = if call.refused { "✗" } else { "·" };
        lines.push(format!("    {mark} {} {}", when(call.at_ms), printable(&call.summary)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{PreviewedCall, TaskId};

    #[test]
    fn the_past_is_told_with_what_was_refused() {
        let mut preview = GrantPreview {
            label: "`make` in /w, always".into(),
            days: 30,
            calls: 0,
            refused: 0,
            and_more: false,
            samples: Vec::new(),
        };
        assert_eq!(lines(&preview)[1], "  In the last 30 days it would have let nothing else through.");
        (preview.calls, preview.refused, preview.and_more) = (3, 1, true);
        preview.samples.push(PreviewedCall {
            task: TaskId::new("t1"),
            summary: "Run\u{1b}[8m".into(),
            at_ms: 0,
            refused: true,
        });
        let lines = lines(&preview);
        assert_eq!(
            lines[1],
            "  In the last 30 days it would have let at least 3 other calls through, 1 of which you refused."
        );
        assert!(lines[2].starts_with("    ✗ ") && lines[2].ends_with("Run\\u{1b}[8m"), "{lines:?}");
    }
}
