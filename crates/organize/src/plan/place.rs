//! Decides where a loose file belongs, and why. The first matching rule wins.

use super::{By, text, topics};
use crate::parallel;
use crate::scan::{DateSource, FileId, FileKind, Scan, ScannedFile, ending, is_screenshot, open_file};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The maximum number of documents whose text is read.
const MOST_DOCUMENTS: usize = 2_000;

/// The number of documents of a topic in one folder that make it the folder of that topic.
const FEWEST_TOGETHER: usize = 2;

/// A target for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// A folder below the one that contains the file.
    In { folder: PathBuf, reason: Phrase },
    /// An existing folder with similar files.
    With { folder: PathBuf, reason: Phrase },
}

impl Placement {
    pub(super) fn reason(self) -> Phrase {
        match self {
            Self::In { reason, .. } | Self::With { reason, .. } => reason,
        }
    }
}

fn place(folder: impl Into<PathBuf>, reason: Phrase) -> Option<Placement> {
    Some(Placement::In { folder: folder.into(), reason })
}

/// Returns where a loose file belongs. `None` if no rule applies.
pub(super) fn of(
    id: FileId,
    file: &ScannedFile,
    by: By,
    topics: &HashMap<FileId, Placement>,
) -> Option<Placement> {
    match by {
        By::Everything => special(file)
            .or_else(|| topics.get(&id).cloned())
            .or_else(|| by_year(file))
            .or_else(|| by_kind(file)),
        By::Kind => by_kind(file),
        By::Date => {
            let date = file.dated.date;
            let folder = format!("{:04}/{:04}-{:02}", date.year(), date.year(), date.month());
            place(folder, say::dated(date, source(file.dated.source)))
        }
        By::Content => topics.get(&id).cloned(),
        By::Project | By::Duplicates | By::Names => None,
    }
}

fn source(source: DateSource) -> &'static str {
    match source {
        DateSource::Exif => "camera",
        DateSource::Document => "document",
        DateSource::Tag => "recording",
        DateSource::Name => "name",
        DateSource::File => "file",
    }
}

fn special(file: &ScannedFile) -> Option<Placement> {
    if matches!(file.kind, FileKind::Image | FileKind::Video) && is_screenshot(&file.name) {
        return place("Pictures/Screenshots", say::screenshot());
    }
    None
}

/// Sorts photographs by the year that the camera recorded.
fn by_year(file: &ScannedFile) -> Option<Placement> {
    let is_photo = file.kind == FileKind::Image && file.dated.source == DateSource::Exif;
    is_photo
        .then(|| place(format!("Pictures/{:04}", file.dated.date.year()), say::taken_on(file.dated.date)))?
}

fn by_kind(file: &ScannedFile) -> Option<Placement> {
    let folder = file.kind.folder()?;
    place(folder, Phrase::default())
}

/// Sorts documents by content: to the folder of similar documents if there is one, otherwise to a new folder.
pub(super) fn topics(scan: &Scan, without: &BTreeSet<FileId>) -> HashMap<FileId, Placement> {
    let ids = (0_u32..).zip(&scan.files).filter(|(id, file)| is_document(file) && !without.contains(id));
    let ids: Vec<FileId> = ids.map(|(id, _)| id).take(MOST_DOCUMENTS).collect();
    let texts = parallel::each(ids.len(), |index| {
        let opened = open_file(&scan.path(ids[index]));
        let name = &scan.files[ids[index] as usize].name;
        opened.map(|file| text::text_of(&file, &ending(name))).unwrap_or_default()
    });
    let mut places = HashMap::new();
    for topic in topics::group(&texts) {
        let members: Vec<FileId> = topic.members.iter().map(|member| ids[*member]).collect();
        let loose: Vec<FileId> = members.iter().copied().filter(|id| is_loose(scan, *id)).collect();
        let sorted = sorted_place(scan, &members);
        for id in &loose {
            let others = members.len() - 1;
            let placement = match &sorted {
                Some(folder) if scan.root_of(folder) == scan.root_of(&scan.path(*id)) => {
                    Placement::With { folder: folder.clone(), reason: say::alike_there() }
                }
                // Two documents are too few for a new folder.
                _ if loose.len() > FEWEST_TOGETHER => Placement::In {
                    folder: Path::new("Documents").join(crate::names::legal(&topic.name)),
                    reason: say::alike(others),
                },
                _ => continue,
            };
            places.insert(*id, placement);
        }
    }
    places
}

fn is_document(file: &ScannedFile) -> bool {
    matches!(file.kind, FileKind::Document | FileKind::Presentation) && !file.is_busy
}

fn is_loose(scan: &Scan, id: FileId) -> bool {
    let folder = &scan.folders[scan.files[id as usize].folder as usize].path;
    scan.roots.iter().any(|root| **root == **folder)
}

/// Returns the folder with most of the topic's sorted documents, if it contains enough of them.
fn sorted_place(scan: &Scan, members: &[FileId]) -> Option<PathBuf> {
    let mut folders: BTreeMap<u32, usize> = BTreeMap::new();
    let sorted: Vec<&FileId> = members.iter().filter(|id| !is_loose(scan, **id)).collect();
    for id in &sorted {
        *folders.entry(scan.files[**id as usize].folder).or_default() += 1;
    }
    let (folder, together) =
        folders.into_iter().max_by_key(|(folder, count)| (*count, std::cmp::Reverse(*folder)))?;
    let is_place = together >= FEWEST_TOGETHER && together * 2 > sorted.len();
    is_place.then(|| scan.folders[folder as usize].path.to_path_buf())
}
