//! The tray icon: what the agent does, how much waits, and the way back to the window.

use crate::place::Place;
use crate::words::{counted, word};
use crate::{login, window};
use std::panic::AssertUnwindSafe;
use tauri::image::Image;
use tauri::menu::{CheckMenuItem, IsMenuItem, Menu, MenuEvent, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Wry};

const CALM: &[u8] = include_bytes!("../icons/tray-calm.png");
const WORKING: &[u8] = include_bytes!("../icons/tray-working.png");
const WAITING: &[u8] = include_bytes!("../icons/tray-waiting.png");

/// How the agent stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// No host is reached.
    Offline,
    /// What works and what waits for a person.
    Online {
        /// Tasks that work.
        working: usize,
        /// Requests and questions.
        waiting: usize,
    },
}

impl Standing {
    fn picture(self) -> &'static [u8] {
        match self {
            Self::Online { waiting: 1.., .. } => WAITING,
            Self::Online { working: 1.., .. } => WORKING,
            _ => CALM,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Offline => word("offline"),
            Self::Online { waiting: waiting @ 1.., .. } => counted("waiting", waiting),
            Self::Online { working: working @ 1.., .. } => counted("working", working),
            Self::Online { .. } => word("idle"),
        }
    }

    /// What stands alongside the icon: the number that waits, where there is one.
    fn number(self) -> Option<String> {
        match self {
            Self::Online { waiting: waiting @ 1.., .. } => Some(waiting.to_string()),
            _ => None,
        }
    }
}

/// The tray icon of this process.
pub(crate) struct Tray {
    icon: TrayIcon,
    standing: MenuItem<Wry>,
    login: CheckMenuItem<Wry>,
}

impl Tray {
    /// Makes the icon; `None` where this system cannot have one.
    pub(crate) fn make(app: &AppHandle) -> Option<Self> {
        // Where the library of tray icons is not installed, the crate that binds it panics.
        let made = std::panic::catch_unwind(AssertUnwindSafe(|| Self::try_make(app)));
        match made {
            Ok(Ok(tray)) => Some(tray),
            Ok(Err(error)) => {
                tracing::warn!("there is no tray icon: {error}");
                None
            }
            Err(_) => {
                tracing::warn!("there is no tray icon: libayatana-appindicator3 is not installed");
                None
            }
        }
    }

    fn try_make(app: &AppHandle) -> tauri::Result<Self> {
        let offline = Standing::Offline;
        let item = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
        let standing = item("inbox", &offline.words())?;
        let login = CheckMenuItem::with_id(app, "login", word("login"), true, login::is_on(), None::<&str>)?;
        let (open, new, quit) =
            (item("open", &word("open"))?, item("new", &word("new"))?, item("quit", &word("quit"))?);
        let (above, below) = (PredefinedMenuItem::separator(app)?, PredefinedMenuItem::separator(app)?);
        let items: [&dyn IsMenuItem<Wry>; 7] = [&standing, &above, &open, &new, &login, &below, &quit];
        let icon = TrayIconBuilder::with_id("deputy")
            .icon(Image::from_bytes(offline.picture())?)
            .menu(&Menu::with_items(app, &items)?)
            .on_menu_event(chosen)
            .build(app)?;
        Ok(Self { icon, standing, login })
    }

    /// Shows how the agent stands.
    pub(crate) fn show(&self, now: Standing) -> tauri::Result<()> {
        self.icon.set_icon(Some(Image::from_bytes(now.picture())?))?;
        self.icon.set_title(Some(now.number().unwrap_or_default()))?;
        self.standing.set_text(now.words())?;
        self.login.set_checked(login::is_on())
    }
}

fn chosen(app: &AppHandle, event: MenuEvent) {
    match event.id().as_ref() {
        "inbox" => window::show(app, &Place::Inbox),
        "open" => window::show(app, &Place::Here),
        "new" => window::show(app, &Place::NewTask),
        "login" => {
            if let Err(error) = login::set(!login::is_on()) {
                tracing::warn!("starting at login could not be changed: {error}");
            }
        }
        "quit" => app.exit(0),
        _ => {}
    }
}
