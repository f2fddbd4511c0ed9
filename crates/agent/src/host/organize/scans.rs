//! Running scans: each works in the background, and clients query its state.

use super::{aside, count, organize_home, typed};
use crate::core::Core;
use crate::host::drivers::Drivers;
use crate::host::place;
use crate::ids;
use deputy_messages::agent as say;
use deputy_messages::sentence;
use deputy_organize::plan::{By, Proposal, Wishes, propose};
use deputy_organize::scan::{Scan, ScanPhase, ScanProgress, Watch, scan};
use deputy_organize::suggest::{Convention, suggest};
use deputy_protocol::{
    Answers, CommandId, ConventionCard, DoneOutcome, ErrorBody, ErrorCode, OrganizeBy, PathNote, Performs,
    ScanAnswer, ScanComparing, ScanDrafted, ScanFailed, ScanLeftOut, ScanLooking, ScanQuery, ScanStage,
    ScanStartedOutcome, StartScanCommand, StopScanCommand,
};
use deputy_tools::OrganizeHome;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// The maximum number of scans that are kept. The oldest is ended to make room for a new one.
const MOST_SCANS: usize = 4;
/// The maximum number of folders in one plan.
const MOST_FOLDERS: usize = 32;
/// The maximum number of ignored files that are reported individually.
const MOST_TOLD: usize = 50;

/// The scans of a host.
pub(in crate::host) struct Scans {
    core: Arc<Core>,
    drivers: Arc<Drivers>,
    known: Mutex<VecDeque<Arc<Underway>>>,
}

struct Underway {
    id: String,
    stage: Mutex<ScanStage>,
    end: CancellationToken,
}

impl Underway {
    fn set(&self, stage: ScanStage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    fn answer(&self) -> ScanAnswer {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        ScanAnswer { scan: self.id.clone(), stage }
    }
}

impl Scans {
    pub(in crate::host) fn new(core: Arc<Core>, drivers: Arc<Drivers>) -> Self {
        Self { core, drivers, known: Mutex::default() }
    }

    fn begin(&self, end: CancellationToken) -> Arc<Underway> {
        let stage = Mutex::new(ScanStage::Looking(ScanLooking { files: 0 }));
        let underway = Arc::new(Underway { id: ids::fresh('c'), stage, end });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.push_back(underway.clone());
        while known.len() > MOST_SCANS {
            if let Some(oldest) = known.pop_front() {
                oldest.end.cancel();
            }
        }
        underway
    }

    fn find(&self, id: &str) -> Result<Arc<Underway>, ErrorBody> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .iter()
            .find(|underway| underway.id == id)
            .cloned()
            .ok_or_else(|| ErrorBody::new(ErrorCode::UnknownScan, say::scan_not_known(), say::scan_again()))
    }
}

impl Answers<ScanQuery> for Scans {
    async fn answer(&self, query: ScanQuery) -> Result<ScanAnswer, ErrorBody> {
        Ok(self.find(&query.scan)?.answer())
    }
}

impl Performs<StopScanCommand> for Scans {
    async fn perform(&self, _: &CommandId, stop: StopScanCommand) -> Result<DoneOutcome, ErrorBody> {
        self.find(&stop.scan)?.end.cancel();
        Ok(DoneOutcome {})
    }
}

impl Performs<StartScanCommand> for Scans {
    async fn perform(&self, _: &CommandId, start: StartScanCommand) -> Result<ScanStartedOutcome, ErrorBody> {
        if start.folders.is_empty() || start.folders.len() > MOST_FOLDERS {
            let message = say::plan_is_about_folders(MOST_FOLDERS);
            return Err(ErrorBody::new(ErrorCode::Folders, message, say::name_folder_that_is_there()));
        }
        let convention = start.convention.as_deref().map(Convention::parse).transpose().map_err(|error| {
            ErrorBody::new(ErrorCode::Convention, sentence(error), say::choose_suggested())
        })?;
        let wishes = Wishes { by: by(start.by), convention };
        let folders: Vec<PathBuf> = start
            .folders
            .iter()
            .map(|folder| place::workspace(&typed(&self.core, folder).to_string_lossy(), &self.core.home))
            .map(|folder| folder.map(PathBuf::from))
            .collect::<Result<_, _>>()?;
        let underway = self.begin(self.drivers.end().child_token());
        let (home, own) = (organize_home(&self.core), underway.clone());
        let work = aside(say::scan_broke_off, move || look(&home, &folders, &wishes, &own));
        let told = underway.clone();
        self.drivers.at_work().spawn(async move {
            told.set(match work.await {
                Ok(drafted) => ScanStage::Drafted(drafted),
                Err(error) => ScanStage::Failed(ScanFailed { error }),
            });
        });
        Ok(ScanStartedOutcome { scan: underway.id.clone() })
    }
}

fn look(
    home: &OrganizeHome,
    folders: &[PathBuf],
    wishes: &Wishes,
    underway: &Underway,
) -> Result<ScanDrafted, ErrorBody> {
    let secrets = home.secrets(folders.first().map_or(Path::new("/"), PathBuf::as_path));
    let progress = |progress: ScanProgress| {
        underway.set(match (progress.phase, progress.total) {
            (ScanPhase::Comparing, Some(total)) => {
                ScanStage::Comparing(ScanComparing { done: count(progress.done), total: count(total) })
            }
            _ => ScanStage::Looking(ScanLooking { files: count(progress.done) }),
        });
    };
    let watch = Watch {
        passes_by: &|path| secrets.holds(path),
        is_cancelled: &|| underway.end.is_cancelled(),
        progress: &progress,
    };
    let found = scan(folders, &watch)
        .map_err(|error| ErrorBody::new(ErrorCode::Scan, sentence(error), say::nothing_was_changed()))?;
    let proposal = propose(&found, wishes);
    let draft = if proposal.plan.operations.is_empty() {
        None
    } else {
        let kept = home.keep_draft(&proposal.plan);
        Some(kept.map_err(|error| ErrorBody::new(ErrorCode::Draft, sentence(error), say::is_there_room()))?)
    };
    Ok(told(&found, &proposal, draft))
}

fn told(found: &Scan, proposal: &Proposal, draft: Option<String>) -> ScanDrafted {
    let left = &found.left_out;
    ScanDrafted {
        draft,
        files: count(found.files.len()),
        bytes: found.files.iter().map(|file| file.size_bytes).sum(),
        copies: found.duplicates.iter().map(|group| count(group.len().saturating_sub(1))).sum(),
        conventions: suggest(found)
            .into_iter()
            .map(|suggestion| ConventionCard {
                pattern: suggestion.pattern,
                description: suggestion.description,
                before: suggestion.example.before,
                after: suggestion.example.after,
                // The value is between 0 and 100, so it fits.
                confidence_percent: (suggestion.confidence * 100.0).round().clamp(0.0, 100.0) as u8,
                matches: count(suggestion.matches),
                files: count(suggestion.files),
            })
            .collect(),
        left_alone: proposal
            .left_alone
            .iter()
            .take(MOST_TOLD)
            .map(|(path, reason)| PathNote {
                path: path.to_string_lossy().into_owned(),
                reason: reason.clone(),
            })
            .collect(),
        left_alone_count: count(proposal.left_alone.len() + proposal.more_left_alone),
        left_out: ScanLeftOut {
            hidden: count(left.hidden),
            special: count(left.special),
            unnameable: count(left.unnameable),
            unreadable: count(left.unreadable),
        },
        too_many: count(proposal.too_many),
    }
}

fn by(wanted: OrganizeBy) -> By {
    match wanted {
        OrganizeBy::Everything => By::Everything,
        OrganizeBy::Kind => By::Kind,
        OrganizeBy::Date => By::Date,
        OrganizeBy::Project => By::Project,
        OrganizeBy::Content => By::Content,
        OrganizeBy::Duplicates => By::Duplicates,
        OrganizeBy::Names => By::Names,
    }
}
