//! The window: how it comes up, what it may show, and what closing it means.

use crate::core::Core;
use crate::place::Place;
use crate::shell::Shell;
use crate::tray::Tray;
use crate::{bus, engine};
use gtk::gio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{
    AppHandle, DragDropEvent, LogicalSize, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
};

/// The window's name, to which its capability file is bound.
const LABEL: &str = "main";
/// What the engine keeps of the page (preferences, drafts), alongside all else in the home.
const KEPT: &str = "window";
/// On a small screen, what is left for a title bar.
const TITLE_BAR: LogicalSize<u32> = LogicalSize::new(0, 40);
/// How often, and with which pauses, a window that is to wait in the tray looks for one: at login the panel comes late.
const LOOKS: u32 = 10;
const LOOK_PAUSE: Duration = Duration::from_secs(1);
/// How long closing waits for the desktop's bus to say whether there is a tray.
const TRAY_TIMEOUT: Duration = Duration::from_millis(500);

/// Makes the window. It shows once there is something to see, unless it is to wait in the tray.
pub(crate) fn make(app: &AppHandle, hidden: bool) -> tauri::Result<()> {
    // Only the first page brings the window up: one that was loaded again may be hidden on purpose.
    let comes_up = AtomicBool::new(!hidden);
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .data_directory(app.state::<Core>().home().join(KEPT))
        .title("Deputy")
        .inner_size(1280.0, 832.0)
        .min_inner_size(360.0, 480.0)
        .prevent_overflow_with_margin(TITLE_BAR)
        .visible(false)
        // The page comes out of this program; nothing else is ever shown here.
        .on_navigation(|url| url.scheme() == "tauri")
        .on_new_window(|url, _| {
            open_elsewhere(&url);
            NewWindowResponse::Deny
        })
        .on_download(|_, _| false)
        .on_page_load(move |window, payload| {
            if payload.event() == PageLoadEvent::Finished && comes_up.swap(false, Ordering::Relaxed) {
                show_window(&window);
            }
        })
        .build()?;
    told(window.with_webview(|webview| engine::hold(&webview.inner())));
    let handle = app.clone();
    window.on_window_event(move |event| match event {
        WindowEvent::CloseRequested { api, .. } if keeps_on(&handle) => {
            api.prevent_close();
            if let Some(window) = handle.get_webview_window(LABEL) {
                told(window.hide());
            }
        }
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => handle.state::<Shell>().dropped(paths),
        _ => {}
    });
    if hidden {
        tauri::async_runtime::spawn(show_without_tray(app.clone()));
    }
    Ok(())
}

/// A hidden window of which no tray tells could not be found.
async fn show_without_tray(app: AppHandle) {
    for _ in 0..LOOKS {
        if app.try_state::<Tray>().is_some() && bus::has_tray().await {
            return;
        }
        tokio::time::sleep(LOOK_PAUSE).await;
    }
    show(&app, &Place::Here);
}

/// Brings the window to the front, at a place.
pub(crate) fn show(app: &AppHandle, place: &Place) {
    app.state::<Shell>().open(place);
    if let Some(window) = app.get_webview_window(LABEL) {
        show_window(&window);
    }
}

/// Whether a person looks at the window.
pub(crate) fn is_looked_at(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL).is_some_and(|window| {
        window.is_visible().unwrap_or_default() && window.is_focused().unwrap_or_default()
    })
}

fn show_window(window: &WebviewWindow) {
    told(window.show());
    told(window.unminimize());
    told(window.set_focus());
}

/// Closing hides the window where a tray shows that Deputy continues; without one it would be gone from sight.
fn keeps_on(app: &AppHandle) -> bool {
    let has_tray = async { tokio::time::timeout(TRAY_TIMEOUT, bus::has_tray()).await.unwrap_or_default() };
    app.try_state::<Tray>().is_some() && tauri::async_runtime::block_on(has_tray)
}

/// Opens a link of the page with the program that the desktop has for it.
fn open_elsewhere(url: &Url) {
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return;
    }
    if let Err(error) = gio::AppInfo::launch_default_for_uri(url.as_str(), gio::AppLaunchContext::NONE) {
        tracing::warn!("a link could not be opened: {error}");
    }
}

/// A window that is going away refuses; there is nothing to do about it.
fn told(result: tauri::Result<()>) {
    if let Err(error) = result {
        tracing::debug!("the window does not listen: {error}");
    }
}
