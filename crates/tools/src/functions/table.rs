//! The table of functions: which action of which tool each one is, its words for the model, and its parameters' names.
//!
//! The table is total: every action of every tool that comes with Deputy is in [`FUNCTIONS`] or in [`NOT_OFFERED`].

use super::Group;

/// A function and the action that it calls.
pub(super) struct Row {
    /// The name that the model calls.
    pub(super) name: &'static str,
    /// The tool and the action. The action is empty for a tool that has only one.
    pub(super) of: (&'static str, &'static str),
    pub(super) group: Group,
    /// What it does, for the model.
    pub(super) says: &'static str,
    /// Parameters with another name than in the tool, as (in the tool, in the function).
    pub(super) renamed: &'static [(&'static str, &'static str)],
    /// Parameters of the tool that this action does not use.
    pub(super) left_out: &'static [&'static str],
    /// A switch of the action that every call of the function turns on. The model does not see it.
    pub(super) on: Option<&'static str>,
    /// Whether models are offered it. A function that is not offered is understood when it is called.
    pub(super) is_offered: bool,
}

const fn row(name: &'static str, of: (&'static str, &'static str), group: Group, says: &'static str) -> Row {
    Row { name, of, group, says, renamed: &[], left_out: &[], on: None, is_offered: true }
}

impl Row {
    const fn renamed(mut self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        self.renamed = renamed;
        self
    }

    const fn without(mut self, left_out: &'static [&'static str]) -> Self {
        self.left_out = left_out;
        self
    }

    const fn with(mut self, on: &'static str) -> Self {
        self.on = Some(on);
        self
    }

    const fn not_offered(mut self) -> Self {
        self.is_offered = false;
        self
    }
}

/// All functions, in the order in which models see them.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Row] = &[
    row("read_file", ("code", "read"), Group::Files,
        "Reads a text file, or the lines from `offset` on. Each line has its number and a tab before it. Also returns the text of PDF and Office documents.")
        .renamed(&[("start_line", "offset"), ("lines", "limit")])
        .with("numbered"),
    row("write_file", ("code", "write"), Group::Files,
        "Creates a file with this content, and the folders above it, or replaces the whole file."),
    row("edit_file", ("code", "patch"), Group::Files,
        "Replaces one exact piece of a file. `old_string` must be copied from the file with its indentation and must occur only once unless `replace_all` is true.")
        .renamed(&[("old", "old_string"), ("new", "new_string")]),
    row("move_file", ("code", "move"), Group::Files,
        "Moves or renames a file.")
        .renamed(&[("from", "source"), ("to", "destination")]),
    row("delete_file", ("code", "delete"), Group::Files,
        "Deletes a file or an empty folder. The user can undo it."),
    // Some models were trained to change files with it.
    row("apply_patch", ("code", "apply_patch"), Group::Files,
        "Changes several files at once.")
        .renamed(&[("patch", "input")])
        .not_offered(),
    row("list_dir", ("search", "ls"), Group::Files,
        "Lists a folder: name, kind, size and date of each entry."),
    row("find_files", ("search", "find"), Group::Files,
        "Finds files and folders by name. Example: {\"pattern\": \"src/**/*.py\", \"sort\": \"newest\", \"limit\": 5}.")
        .without(&["any", "none", "depth", "empty", "extension", "max_bytes", "min_bytes", "older_than", "tags", "text", "types"]),
    row("grep", ("search", "grep"), Group::Files,
        "Searches the text of files for a regular expression and returns `path:line:text`. It also reads PDF and Office files.")
        .without(&["where", "words"]),
    row("shell", ("shell", ""), Group::Shell,
        "Runs a command with bash in the workspace, inside walls. Commands that only read run at once; others may ask the user."),
    row("background_start", ("background", "start"), Group::Background,
        "Starts a command that keeps running, such as a development server, and returns its id. Later calls reach it on 127.0.0.1. It ends with the task."),
    row("background_output", ("background", "output"), Group::Background,
        "Returns what a background command has written since the last time, or the rest of a long result by its id."),
    row("background_stop", ("background", "stop"), Group::Background,
        "Stops a background command and everything it started."),
    row("background_list", ("background", "list"), Group::Background,
        "Lists the background commands of this task."),
    row("web_search", ("web_search", ""), Group::Web,
        "Searches the web and returns titles, addresses and excerpts."),
    row("fetch_page", ("fetch", ""), Group::Web,
        "Reads one web address: a page as Markdown, a PDF, JSON or a picture. The user is asked once for each new host."),
    row("memory_recall", ("memory", "recall"), Group::Memory,
        "Finds what earlier tasks learned that fits a question."),
    row("memory_remember", ("memory", "remember"), Group::Memory,
        "Remembers a fact for later tasks in this folder, or with `about` a preference that the user stated."),
    row("memory_list", ("memory", "list"), Group::Remembered,
        "Lists the remembered facts and preferences."),
    row("memory_forget", ("memory", "forget"), Group::Remembered,
        "Forgets a wrong memory. The user is asked."),
    row("memory_scratchpad", ("memory", "scratchpad"), Group::Remembered,
        "Replaces your notes for this task with `text`, or returns them without it. They survive when old steps are summarized."),
    row("memory_task", ("memory", "task"), Group::Remembered,
        "Returns everything known about an earlier task of this folder, by its id."),
    row("todo", ("todo", ""), Group::Todo,
        "Writes your to-do list, which the user sees. One step is active; your last answer closes it. Useful from three steps on."),
    row("skill", ("skill", ""), Group::Skills,
        "Returns the text of one of the user's skills."),
    row("create_dir", ("code", "create_dir"), Group::Look,
        "Creates a folder and the folders above it."),
    row("list_tree", ("search", "tree"), Group::Look,
        "Lists a folder and what is below it as an indented tree."),
    row("tail_file", ("search", "tail"), Group::Look,
        "Returns the last lines of a file."),
    row("count_lines", ("search", "wc"), Group::Look,
        "Counts lines, words and bytes of files."),
    row("compare_dirs", ("search", "compare"), Group::Look,
        "Compares two folders and lists what differs."),
    row("organize_scan", ("organize", "scan"), Group::Organize,
        "Looks at folders and drafts a plan for tidying them. Returns what is there, which files are copies, and the id of the draft."),
    row("organize_suggest_conventions", ("organize", "suggest_conventions"), Group::Organize,
        "Suggests three naming conventions that fit the names in the folders."),
    row("organize_draft", ("organize", "draft"), Group::Organize,
        "Makes a plan from `changes` and returns its id. Nothing is changed yet. \
         Example of a change: {\"do\": \"move\", \"where\": {\"extension\": \"pdf\"}, \"to\": \"Documents/{year}\"}."),
    row("organize_submit_plan", ("organize", "submit_plan"), Group::Organize,
        "Submits a draft by its id, or `operations` of your own. The user approves the plan as a whole; then it is executed. Nothing is overwritten, and it can be undone."),
    row("organize_status", ("organize", "status"), Group::Organize,
        "Returns what plans have done so far."),
    row("organize_undo", ("organize", "undo"), Group::Organize,
        "Undoes an executed plan by its job id."),
    row("list_archive", ("archive", "list"), Group::Archive,
        "Lists what a ZIP or tar archive contains."),
    row("create_archive", ("archive", "pack"), Group::Archive,
        "Packs files and folders into a new archive. Files that hold secrets are left out."),
    row("extract_archive", ("archive", "unpack"), Group::Archive,
        "Unpacks an archive into a folder. If a name is taken, nothing is unpacked."),
    row("query_table", ("table", ""), Group::Table,
        "Filters, sorts, groups and sums the rows of a CSV or TSV file whose first row names the columns. \
         Example: {\"path\": \"sales.csv\", \"group\": [\"Region\"], \"compute\": [{\"of\": \"sum\", \"column\": \"Amount\"}]}."),
    row("select_files", ("search", "find"), Group::Documents,
        "Finds files by any of these conditions; all that are given must hold. \
         Example: {\"types\": [\"document\"], \"older_than\": \"2025-01-01\", \"min_bytes\": 1000000}."),
    row("file_info", ("search", "info"), Group::Documents,
        "Returns what files say about themselves: size in pixels, date taken, camera, pages, title, author, lines, words, tags."),
    row("find_duplicates", ("search", "duplicates"), Group::Documents,
        "Finds files with the same content.")
        .without(&["hidden", "no_ignore"]),
    row("disk_usage", ("search", "usage"), Group::Documents,
        "Sums up sizes: what takes the space in a folder."),
    row("tag_files", ("tags", ""), Group::Documents,
        "Adds and removes tags of files and folders. select_files finds by tags."),
    row("browser_navigate", ("browser", "navigate"), Group::Browser,
        "Opens an address in a real browser and returns the page as an outline with references such as e12. For reading alone, fetch_page is faster."),
    row("browser_snapshot", ("browser", "snapshot"), Group::Browser,
        "Returns the outline of the page as it is now."),
    row("browser_click", ("browser", "click"), Group::Browser,
        "Clicks an element, by its reference in the outline or a CSS selector."),
    row("browser_fill", ("browser", "fill"), Group::Browser,
        "Replaces the text of a field."),
    row("browser_select", ("browser", "select"), Group::Browser,
        "Chooses values in a list."),
    row("browser_press", ("browser", "press"), Group::Browser,
        "Presses keys, one after the other."),
    row("browser_hover", ("browser", "hover"), Group::Browser,
        "Moves the pointer over an element."),
    row("browser_scroll", ("browser", "scroll"), Group::Browser,
        "Scrolls the page, or the area around an element."),
    row("browser_extract_text", ("browser", "extract_text"), Group::Browser,
        "Returns the text of the page."),
    row("browser_extract_html", ("browser", "extract_html"), Group::Browser,
        "Returns the HTML of the page."),
    row("browser_download", ("browser", "download"), Group::Browser,
        "Clicks an element and saves the file that it downloads."),
    row("browser_upload", ("browser", "upload"), Group::Browser,
        "Hands files to a file field. The user is asked."),
    row("browser_screenshot", ("browser", "screenshot"), Group::Browser,
        "Takes a picture of what is in view, or of an element."),
    row("browser_back", ("browser", "back"), Group::Browser,
        "Goes back to the page before."),
    row("browser_forward", ("browser", "forward"), Group::Browser,
        "Goes forward to the page after."),
    row("browser_tabs", ("browser", "tabs"), Group::Browser,
        "Lists the tabs, goes to one, or closes it."),
    row("browser_wait_for", ("browser", "wait_for"), Group::Browser,
        "Waits until a text or a CSS selector is on the page."),
    row("browser_evaluate", ("browser", "evaluate"), Group::Browser,
        "Runs JavaScript in the page. The user is asked unless it only reads."),
    row("browser_allow", ("browser", "allow"), Group::Browser,
        "Asks the user for hosts that a page needed and that were not loaded."),
    row("delegate", ("delegate", ""), Group::Subtasks,
        "Has sub-tasks do parts of the task side by side and returns their summaries. A sub-task sees nothing of this conversation: its goal must \
         have all it needs. No two may change the same files."),
    row("ask_about_texts", ("python_inference", "complete"), Group::Texts,
        "Asks a model the same about each of many texts: classify, extract, translate, summarize. Can write the answers as a CSV file."),
    row("rank_texts", ("python_inference", "embed"), Group::Texts,
        "Ranks many texts by how close their meaning is to `prompt`.")
        .without(&["labels", "schema", "model", "max_tokens"]),
    row("open_tools", ("open_tools", ""), Group::Groups, ""),
];

/// Actions that models are not offered, because another function does the same or they do nothing by themselves.
pub(super) const NOT_OFFERED: &[(&str, &str)] =
    &[("code", "list"), ("search", "head"), ("python_inference", "plan")];
