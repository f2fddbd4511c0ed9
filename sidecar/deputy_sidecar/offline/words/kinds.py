"""Kinds of files as people name them: their words, how they are called in each language, and what makes a file one."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["KINDS", "Kind"]

_PICTURES: Final = "jpg jpeg png gif bmp tif tiff webp heic svg ico psd"
_RAW: Final = "raw cr2 cr3 nef arw dng orf rw2"
_VIDEO: Final = "mp4 mkv mov avi webm wmv m4v mpg mpeg"
_SOUND: Final = "mp3 wav flac ogg m4a aac opus wma mid"
_SHEETS: Final = "xlsx xls xlsm ods csv numbers"
_SLIDES: Final = "pptx ppt odp key"
_WORD: Final = "docx doc"
_ARCHIVES: Final = "zip tar gz tgz bz2 xz 7z rar zst"
_CODE: Final = "py rs js ts jsx tsx java c h cpp hpp cs go rb php pl sh bash bat ps1 lua swift kt sql r html css scss"


class Kind(NamedTuple):
    """A kind of files."""

    words: str
    english: str
    german: str
    # Extensions, pieces of the name, or either.
    extensions: str = ""
    names: str = ""
    # Pieces of names that say it is something else.
    unless: str = ""


KINDS: Final = (
    Kind(
        "photos|photo|digital photos|fotodateien|photo files|lichtbilder|fotos|foto|photographs|photograph|pics|pic|snapshots|snaps|snap|fotografien|aufnahmen",
        "photos",
        "Fotos",
        "jpg jpeg heic png tif tiff webp",
        unless="poster|plakat|screenshot|screen shot|bildschirmfoto|logo|icon|diagram|chart",
    ),
    Kind(
        "pictures|picture|grafiken|grafik|graphics|bilderchen|bildchen|images|image|bilder|bild|bildern|imgs|image files|bilddateien|picture files",
        "pictures",
        "Bilder",
        _PICTURES,
    ),
    Kind(
        "screenshots|screenshot|screen shots|screen shot|bildschirmfotos|bildschirmfoto|screen captures|screengrabs",
        "screenshots",
        "Bildschirmfotos",
        names="screenshot|screen shot|bildschirmfoto",
    ),
    Kind(
        "videos|video|clips|clip|video recordings|videoaufnahmen|videoclips|recorded videos|movies|movie|films|film|filme|filmen|vids|vid|video clips|video files|videodateien|video clip",
        "videos",
        "Videos",
        _VIDEO,
    ),
    Kind(
        "music|songs|song|sound recordings|audio recordings|audio recording|sound recording|tonaufnahmen|tonaufnahme|tondateien|tondatei|audioaufnahmen|sprachnachrichten|voice memos|voice memo|voice recordings|podcasts|mp3s and wavs|audio|audio files|sound files|sounds|musik|lieder|lied|liedern|tracks|tunes|musikdateien|audiodateien|music files|mp3s and such",
        "sound files",
        "Musikdateien",
        _SOUND,
    ),
    Kind(
        "raw files|raw photos|raws|raw images|raw pictures|rohdaten|raw dateien|raw-dateien|raw bilder",
        "raw photos",
        "Raw-Fotos",
        _RAW,
    ),
    Kind(
        "excel|excel files|excel file|excels|excel sheets|xlsx files|excel-dateien|excel dateien|exceldateien|excel tabellen|excel-tabellen|excel datei|excel spreadsheets|excel stuff|excel documents|excel workbooks",
        "Excel files",
        "Excel-Dateien",
        "xlsx xls xlsm",
    ),
    Kind(
        "spreadsheets|spreadsheet|worksheets|worksheet|workbooks|workbook|kalkulationstabellen|tabellen|tabelle|spread sheets|spreadsheet files",
        "spreadsheets",
        "Tabellen",
        _SHEETS,
    ),
    Kind(
        "word documents|word document|word files|word docs|word doc|word file|word-dokumente|word dokumente|word-dateien|word dateien|worddokumente|word dokument|word|word stuff|word-dokument",
        "Word documents",
        "Word-Dokumente",
        _WORD,
    ),
    Kind(
        "powerpoint|powerpoint files|powerpoints|presentations|presentation|slides|slide decks|slide deck|präsentationen|präsentation|powerpoint presentations|folien|powerpoint-dateien|powerpoint stuff|powerpoint dateien|powerpoint presentation|power point",
        "presentations",
        "Präsentationen",
        _SLIDES,
    ),
    Kind(
        "documents|document|docs|papers|paperwork|papiere|office docs|dokumente|dokument|dokumenten|office documents|office files|unterlagen",
        "documents",
        "Dokumente",
        f"pdf {_WORD} odt rtf txt md pages xlsx xls ods {_SLIDES}",
    ),
    Kind(
        "pdf|pdfs|pdf files|pdf file|pdf documents|pdf-dateien|pdf dateien|pdf document|pdf datei|pdfs files|pdf-datei|pdf-dokumente|pdf dokumente|pdf docs",
        "PDF files",
        "PDF-Dateien",
        "pdf",
    ),
    Kind(
        "text files|text file|textdateien|textdatei|text documents|plain text files|txt files",
        "text files",
        "Textdateien",
        "txt md text",
    ),
    Kind("notes|note|notizen|notiz", "notes", "Notizen", "txt md org"),
    Kind(
        "markdown|markdown files|markdown file|markdown-dateien|markdown dateien|markdowns",
        "Markdown files",
        "Markdown-Dateien",
        "md markdown",
    ),
    Kind(
        "archives|archive-datei|archivdateien|zip archiv|zip-archive|zip-archiv|zip-archives|packed files|gepackte dateien|gezippte dateien|zip files|zips|archive file|zip-dateien|zip dateien|archivdateien|zipped files|compressed files|zip archives|archivdatei|zip archive",
        "archives",
        "Archive",
        _ARCHIVES,
    ),
    Kind(
        "code|source code|source files|code files|scripts|script|quellcode|skripte|source|source code files|programming files|quelldateien",
        "source code",
        "Quellcode",
        _CODE,
    ),
    Kind(
        "python|python files|python file|python scripts|python-dateien|python dateien|python script|python code|pythons|python skripte",
        "Python files",
        "Python-Dateien",
        "py",
    ),
    Kind(
        "javascript|javascript files|javascript-dateien|js files",
        "JavaScript files",
        "JavaScript-Dateien",
        "js jsx mjs",
    ),
    Kind(
        "log files|logs|server logs|logbücher|logfiles|log-files|protokolldateien|logdatei|log-datei|log datei|log file|logfiles|log-dateien|log dateien|logdateien|logfile",
        "log files",
        "Log-Dateien",
        "log",
        # Those that were put aside: `access.log.1`.
        names=".log.",
    ),
    Kind(
        "temporary files|temporary stuff|temp stuff|tmps|temporäre datei|temporärdateien|temporaries|temp files|tmp files|temporary file|temporäre dateien|temporären dateien|temp-dateien|tmp-dateien",
        "temporary files",
        "temporäre Dateien",
        "tmp temp",
    ),
    Kind(
        "backup files|bak files|backup file|backups|bak-dateien|sicherungskopien",
        "backup files",
        "Sicherungsdateien",
        "bak",
    ),
    Kind(
        "executables|install files|installation files|setup files|setups|installer files|installationsdateien|installationsprogramme|installern|executable files|exe files|exes|programs|installers|executable|executable file|ausführbare dateien|programme|installer",
        "programs",
        "Programme",
        "exe msi dmg deb rpm appimage",
    ),
    Kind(
        "ebooks|e-book files|ebook files|epubs|e-books|books|ebook|e-book|bücher|e-bücher",
        "e-books",
        "E-Books",
        "epub mobi azw3",
    ),
    Kind("fonts|font|schriften|schriftarten|font files", "fonts", "Schriften", "ttf otf woff woff2"),
    Kind(
        "web pages|web page|website pages|site pages|html documents|html-dateien|internetseiten|html pages|html page|webpage|html-seiten|webseite|html files|webseiten|webpages",
        "web pages",
        "Webseiten",
        "html htm",
    ),
    Kind(
        "invoices|invoice|rechnungsdateien|rechnungen|rechnung|bills|invoice files",
        "invoices (by name)",
        "Rechnungen (dem Namen nach)",
        names="invoice|rechnung",
    ),
    Kind(
        "database dumps|database dump|db dumps|sql dumps|sql dump|database backups|database files|databases|datenbank-dumps|datenbanksicherungen|datenbankdumps|datenbanken",
        "database files",
        "Datenbankdateien",
        "sql db sqlite sqlite3 mdb",
    ),
    Kind(
        "config files|config file|configuration files|configuration file|configs|settings files|konfigurationsdateien|konfigurationsdatei|config-dateien|einstellungsdateien",
        "configuration files",
        "Konfigurationsdateien",
        "conf cfg ini yml yaml toml",
    ),
    Kind("calendars|calendar files|kalenderdateien", "calendar files", "Kalenderdateien", "ics"),
    Kind("contacts|contact files|kontakte", "contacts", "Kontakte", "vcf"),
    Kind("emails|email files|mails|mail files", "mails", "Mails", "eml msg mbox"),
)
