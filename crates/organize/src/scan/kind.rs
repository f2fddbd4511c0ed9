//! The kind of a file, from its first bytes if possible, or else from its name.

/// Kinds of files by which people sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Text for reading: PDF, letters, notes, web pages.
    Document,
    /// Spreadsheets.
    Spreadsheet,
    /// Presentations.
    Presentation,
    /// Electronic books.
    Book,
    /// Saved email messages.
    Mail,
    /// Contacts.
    Contact,
    /// Calendar entries.
    Calendar,
    /// Photographs, screenshots and drawings.
    Image,
    /// Videos.
    Video,
    /// Music and recordings.
    Audio,
    /// Archives of other files.
    Archive,
    /// Installers of programs.
    Installer,
    /// Source code.
    Code,
    /// Data files of programs.
    Data,
    /// Fonts.
    Font,
    /// Anything else.
    Other,
}

/// File name extensions by kind. Several text formats have no signature, so only the name identifies them.
const ENDINGS: &[(FileKind, &[&str])] = &[
    (
        FileKind::Document,
        &[
            "pdf", "doc", "docx", "odt", "rtf", "pages", "txt", "md", "tex", "html", "htm", "xps", "ps",
            "org", "rst",
        ],
    ),
    (FileKind::Spreadsheet, &["xls", "xlsx", "ods", "numbers", "csv", "tsv"]),
    (FileKind::Presentation, &["ppt", "pptx", "odp", "key"]),
    (FileKind::Book, &["epub", "mobi", "azw3", "fb2", "djvu"]),
    (FileKind::Mail, &["eml", "msg", "mbox"]),
    (FileKind::Contact, &["vcf"]),
    (FileKind::Calendar, &["ics"]),
    (
        FileKind::Image,
        &[
            "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "tif", "tiff", "bmp", "svg", "raw",
            "cr2", "nef", "arw", "dng", "psd", "xcf", "ico",
        ],
    ),
    (FileKind::Video, &["mp4", "m4v", "mov", "mkv", "webm", "avi", "wmv", "mpg", "mpeg", "3gp", "ogv"]),
    (FileKind::Audio, &["mp3", "m4a", "flac", "ogg", "opus", "wav", "aac", "wma", "aiff", "mid"]),
    (FileKind::Archive, &["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "iso"]),
    (
        FileKind::Installer,
        &["exe", "msi", "deb", "rpm", "dmg", "pkg", "appimage", "apk", "snap", "flatpak", "flatpakref"],
    ),
    (
        FileKind::Code,
        &[
            "rs", "py", "js", "ts", "jsx", "tsx", "c", "h", "cpp", "hpp", "cs", "java", "kt", "go", "rb",
            "php", "sh", "bash", "ps1", "bat", "pl", "lua", "swift", "r", "jl", "ipynb", "css", "scss",
            "sql", "tcl",
        ],
    ),
    (
        FileKind::Data,
        &[
            "json", "xml", "yaml", "yml", "toml", "ini", "cfg", "conf", "log", "db", "sqlite", "parquet",
            "plist", "bak",
        ],
    ),
    (FileKind::Font, &["ttf", "otf", "woff", "woff2"]),
];

impl FileKind {
    /// Returns the folder for files of this kind. `None` for kinds that are too generic.
    pub fn folder(self) -> Option<&'static str> {
        Some(match self {
            Self::Document => "Documents",
            Self::Spreadsheet => "Spreadsheets",
            Self::Presentation => "Presentations",
            Self::Book => "Books",
            Self::Mail => "Mail",
            Self::Contact => "Contacts",
            Self::Calendar => "Calendar",
            Self::Image => "Pictures",
            Self::Video => "Videos",
            Self::Audio => "Audio",
            Self::Archive => "Archives",
            Self::Installer => "Installers",
            Self::Code => "Code",
            Self::Data => "Data",
            Self::Font => "Fonts",
            Self::Other => return None,
        })
    }
}

/// Returns the kind of a file by its first bytes and its name.
pub(crate) fn kind_of(head: &[u8], name: &str) -> FileKind {
    let by_name = || by_ending(name);
    let Some(found) = infer::get(head) else { return by_name().unwrap_or(FileKind::Other) };
    match found.mime_type() {
        "application/pdf" => FileKind::Document,
        "application/epub+zip" => FileKind::Book,
        "application/vnd.debian.binary-package" | "application/x-rpm" | "application/x-apple-diskimage" => {
            FileKind::Installer
        }
        // For formats based on archives, for executables that may be installers, and for text, the name is more
        // precise.
        mime if [
            "zip",
            "gzip",
            "x-ole-storage",
            "x-msdownload",
            "portable-executable",
            "xml",
            "html",
            "x-executable",
        ]
        .iter()
        .any(|word| mime.ends_with(word)) =>
        {
            by_name().unwrap_or_else(|| by_matcher(&found))
        }
        _ => by_matcher(&found),
    }
}

/// Returns the kind of a file by its name only.
pub fn kind_by_name(name: &str) -> FileKind {
    by_ending(name).unwrap_or(FileKind::Other)
}

fn by_ending(name: &str) -> Option<FileKind> {
    let ending = ending(name);
    ENDINGS.iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(kind, _)| *kind)
}

fn by_matcher(found: &infer::Type) -> FileKind {
    let mime = found.mime_type();
    match found.matcher_type() {
        infer::MatcherType::Image => FileKind::Image,
        infer::MatcherType::Video => FileKind::Video,
        infer::MatcherType::Audio => FileKind::Audio,
        infer::MatcherType::Archive => FileKind::Archive,
        infer::MatcherType::Font => FileKind::Font,
        infer::MatcherType::Book => FileKind::Book,
        infer::MatcherType::Doc if mime.contains("sheet") || mime.contains("excel") => FileKind::Spreadsheet,
        infer::MatcherType::Doc if mime.contains("presentation") || mime.contains("powerpoint") => {
            FileKind::Presentation
        }
        infer::MatcherType::Doc => FileKind::Document,
        infer::MatcherType::Text if mime.contains("html") => FileKind::Document,
        infer::MatcherType::Text if mime.contains("script") => FileKind::Code,
        _ => FileKind::Other,
    }
}

/// Returns the extension of a name in lowercase, without its dot.
pub(crate) fn ending(name: &str) -> String {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name[dot + 1..].to_lowercase(),
        _ => String::new(),
    }
}

/// Returns whether the name is one that programs give to screenshots.
pub fn is_screenshot(name: &str) -> bool {
    const BEGINNINGS: [&str; 13] = [
        "screenshot",
        "screen shot",
        "screen_shot",
        "screen recording",
        "screencast",
        "bildschirmfoto",
        "bildschirmaufnahme",
        "capture d'écran",
        "capture d’écran",
        "captura de pantalla",
        "captura de ecrã",
        "schermata",
        "skærmbillede",
    ];
    let name = name.to_lowercase();
    BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_more_than_the_name_where_it_tells() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        let zip = b"PK\x03\x04\x14\0\0\0\x08\0";
        for (head, name, kind) in [
            (&png[..], "photo.txt", FileKind::Image),
            (b"%PDF-1.7", "invoice", FileKind::Document),
            (zip, "letter.docx", FileKind::Document),
            (zip, "table.ods", FileKind::Spreadsheet),
            (zip, "backup.zip", FileKind::Archive),
            (zip, "backup", FileKind::Archive),
            (b"fn main() {}", "main.rs", FileKind::Code),
            (b"MZ\x90\0", "Setup.EXE", FileKind::Installer),
            (b"#!/bin/sh\necho", "Backup.sh", FileKind::Code),
            (b"a,b\n1,2\n", "budget 2026.csv", FileKind::Spreadsheet),
            (b"", "noending", FileKind::Other),
            (b"", ".pdf", FileKind::Other),
        ] {
            assert_eq!(kind_of(head, name), kind, "{name}");
        }
    }

    #[test]
    fn screenshots_are_known_by_what_programs_call_them() {
        for name in
            ["Screenshot 2026-05-02 at 10.14.33.png", "Bildschirmfoto 2026.png", "screenshot_20260601.PNG"]
        {
            assert!(is_screenshot(name), "{name}");
        }
        assert!(!is_screenshot("my screenshot.png"));
    }
}
