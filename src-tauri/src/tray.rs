//! The tray icon: the agent's state, the number of open requests, and the way back to the window.

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

/// The state of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The host cannot be reached.
    Offline,
    /// The numbers of running tasks and of open requests.
    Online {
        /// The number of running tasks.
        working: usize,
        /// The number of open requests and questions.
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

    /// Returns the text next to the icon: the number of open requests, if there are any.
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
    /// Creates the icon. Returns `None` if this system does not support it.
    pub(crate) fn make(app: &AppHandle) -> Option<Self> {
        // The crate that binds the tray icon library panics if the library is not installed.
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

    /// Shows the agent's state.
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
