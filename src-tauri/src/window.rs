//! The window: how it is created, what it may show, and what closing it does.

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

/// The window's label, which its capability file refers to.
const LABEL: &str = "main";
/// The folder in the home for the page's own storage (preferences, drafts).
const KEPT: &str = "window";
/// The space for a title bar on a small screen.
const TITLE_BAR: LogicalSize<u32> = LogicalSize::new(0, 40);
/// The number of checks for a tray, for a window that starts hidden. At login, the panel may start late.
const LOOKS: u32 = 10;
const LOOK_PAUSE: Duration = Duration::from_secs(1);
/// How long closing the window waits for the bus to say whether there is a tray.
const TRAY_TIMEOUT: Duration = Duration::from_millis(500);

/// Creates the window. It is shown once the page has loaded, unless it starts hidden.
pub(crate) fn make(app: &AppHandle, hidden: bool) -> tauri::Result<()> {
    // Only the first page shows the window: after a reload, the window may be hidden on purpose.
    let comes_up = AtomicBool::new(!hidden);
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .data_directory(app.state::<Core>().home().join(KEPT))
        .title("Deputy")
        .inner_size(1280.0, 832.0)
        .min_inner_size(360.0, 480.0)
        .prevent_overflow_with_margin(TITLE_BAR)
        .visible(false)
        // The page is part of this program. The window never shows anything else.
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

/// Shows a hidden window if there is no tray, because it could not be found otherwise.
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

/// Returns whether the window is visible and has the focus.
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

/// Returns whether closing hides the window: only if there is a tray, in which it can be found again.
fn keeps_on(app: &AppHandle) -> bool {
    let has_tray = async { tokio::time::timeout(TRAY_TIMEOUT, bus::has_tray()).await.unwrap_or_default() };
    app.try_state::<Tray>().is_some() && tauri::async_runtime::block_on(has_tray)
}

/// Opens a link from the page with the desktop's program for it.
fn open_elsewhere(url: &Url) {
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return;
    }
    if let Err(error) = gio::AppInfo::launch_default_for_uri(url.as_str(), gio::AppLaunchContext::NONE) {
        tracing::warn!("a link could not be opened: {error}");
    }
}

/// Logs a failure. A window that is closing refuses calls, and nothing can be done about that.
fn told(result: tauri::Result<()>) {
    if let Err(error) = result {
        tracing::debug!("the window does not listen: {error}");
    }
}
