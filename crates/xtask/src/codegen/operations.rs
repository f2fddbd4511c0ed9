//! The reference of all operations: a table in a page that is written by hand around it.

use deputy_protocol::{Command, DeviceScope, OperationEffect, OperationInfo, Pace, Query};
use std::fmt::Write as _;
use std::path::Path;

/// The page.
pub(super) const PAGE: &str = "docs/protocol.md";
/// What the tables are between.
const BEGIN: &str = "<!-- Written by `cargo xtask codegen` from crates/protocol/src/operations.rs: -->\n";
const END: &str = "<!-- End of what is written by `cargo xtask codegen`. -->\n";

/// The page with the tables as they are declared now. A page without their marks gets them at its end.
pub(super) fn render(page: &Path) -> String {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let (before, rest) = text.split_once(BEGIN).unwrap_or((&text, ""));
    let after = rest.split_once(END).map_or("", |(_, after)| after);
    let queries = table("query", Query::ALL);
    let commands = table("command", Command::ALL);
    format!("{before}{BEGIN}\n{queries}\n{commands}\n{END}{after}")
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
        // A text takes whatever is written into it.
        let _ = writeln!(table, "| `{}` | {about} | {needs} | {} |", info.name, route.unwrap_or_default());
    }
    table
}
