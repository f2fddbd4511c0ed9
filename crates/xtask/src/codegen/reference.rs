//! Generates the reference of all operations and error codes, as tables in a page whose other text is written by hand.

use deputy_protocol::{
    Command, DeviceScope, ErrorCode, ErrorCodeGroup, OperationEffect, OperationInfo, Pace, Query,
};
use std::fmt::Write as _;
use std::path::Path;

/// The path of the page.
pub(super) const PAGE: &str = "docs/protocol.md";
/// The end mark of the tables of a source.
const END: &str = "<!-- End of what is written by `cargo xtask codegen`. -->\n";

fn begin(source: &str) -> String {
    format!("<!-- Written by `cargo xtask codegen` from crates/protocol/src/{source}: -->\n")
}

/// Returns the page with up-to-date tables.
pub(super) fn render(page: &Path) -> String {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let operations = [table("query", Query::ALL), table("command", Command::ALL)].join("\n");
    let codes: Vec<_> = ErrorCode::GROUPS.iter().map(codes).collect();
    let text = between_marks(&text, &begin("operations.rs"), &operations);
    between_marks(&text, &begin("error_code.rs"), &codes.join("\n"))
}

/// Replaces the tables after the mark `begin`. If the page lacks the mark, appends it.
fn between_marks(page: &str, begin: &str, tables: &str) -> String {
    let (before, rest) = page.split_once(begin).unwrap_or((page, ""));
    let after = rest.split_once(END).map_or("", |(_, after)| after);
    format!("{before}{begin}\n{tables}\n{END}{after}")
}

fn codes(group: &ErrorCodeGroup) -> String {
    let mut table = format!("{}\n\n| code | when | HTTP | exit |\n|---|---|---|---|\n", group.about);
    for info in group.codes {
        let again = if info.is_final { " Connecting again does not help." } else { "" };
        let status = info.http_status.map(|status| status.to_string()).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            table,
            "| `{}` | {}{again} | {status} | {} |",
            info.name, info.about, info.exit_status as u8
        );
    }
    table
}

fn table(kind: &str, operations: &[OperationInfo]) -> String {
    let mut table = format!("| {kind} | for what | needs | over HTTP |\n|---|---|---|---|\n");
    for info in operations {
        let needs = match info.needs.device_scope() {
            Some(DeviceScope::Monitor) => "`monitor`",
            Some(DeviceScope::Approve) => "`approve`",
            Some(DeviceScope::Command) => "`command`",
            None => "the desktop itself",
        };
        let mut about = info.about.to_owned();
        if info.pace == Pace::Slow {
            about.push_str(" May take a while.");
        }
        if info.effect == OperationEffect::ChangesInSecret {
            about.push_str(" What came of it is remembered until the host ends, and never written down.");
        }
        let route = info.route.map(|route| format!("`{} {}`", route.method.name(), route.path));
        // Writing to a `String` cannot fail.
        let _ = writeln!(table, "| `{}` | {about} | {needs} | {} |", info.name, route.unwrap_or_default());
    }
    table
}
