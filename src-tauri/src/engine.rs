//! The settings of the page's WebKit engine: low memory, a reduced context menu, and recovery from crashes.

use std::cell::RefCell;
use std::time::{Duration, Instant};
use webkit2gtk::{
    CacheModel, ContextMenu, ContextMenuAction, ContextMenuExt, ContextMenuItemExt,
    HardwareAccelerationPolicy, Settings, SettingsExt, WebContextExt, WebView, WebViewExt,
};

/// A page whose process dies more often than this within a minute is not reloaded, because something else is wrong.
const MOST_DEATHS: usize = 5;
const MINUTE: Duration = Duration::from_secs(60);

/// The entries of the context menu: text operations only. The others are for browsers (back, reload, download).
const OFFERED: [ContextMenuAction; 9] = [
    ContextMenuAction::Copy,
    ContextMenuAction::Cut,
    ContextMenuAction::Paste,
    ContextMenuAction::PasteAsPlainText,
    ContextMenuAction::Delete,
    ContextMenuAction::SelectAll,
    ContextMenuAction::CopyLinkToClipboard,
    ContextMenuAction::InputMethods,
    ContextMenuAction::InsertEmoji,
];

/// Configures a view for the window.
pub(crate) fn hold(view: &WebView) {
    if let Some(settings) = WebViewExt::settings(view) {
        keep_small(&settings);
    }
    if let Some(context) = view.context() {
        // There is a single page, so no cache for navigation is needed.
        context.set_cache_model(CacheModel::DocumentViewer);
    }
    view.connect_context_menu(|_, menu, _, _| keep_text_items(menu));
    bring_back(view);
}

/// Configures the engine for a page of text and lines. Without the graphics card, the page takes 80 MB less, starts
/// sooner, and cannot be blanked by a driver. Features that the page does not use are off, for scripts too.
fn keep_small(settings: &Settings) {
    settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    settings.set_enable_page_cache(false);
    settings.set_enable_webgl(false);
    settings.set_enable_webaudio(false);
    settings.set_enable_media(false);
    settings.set_enable_webrtc(false);
    settings.set_enable_dns_prefetching(false);
}

/// Removes all entries except text operations. Returns whether the menu is empty.
fn keep_text_items(menu: &ContextMenu) -> bool {
    let mut is_begun = false;
    for item in menu.items() {
        let is_offered = !item.is_separator() && OFFERED.contains(&item.stock_action());
        // A separator is only kept between two groups.
        if is_offered || (item.is_separator() && is_begun) {
            is_begun = is_offered;
        } else {
            menu.remove(&item);
        }
    }
    if let Some(last) = menu.last().filter(ContextMenuItemExt::is_separator) {
        menu.remove(&last);
    }
    menu.n_items() == 0
}

/// Reloads the page if its process dies. The page's state is at the host, so a new process shows the same.
fn bring_back(view: &WebView) {
    let deaths: RefCell<Vec<Instant>> = RefCell::default();
    view.connect_web_process_terminated(move |view, reason| {
        deaths.borrow_mut().push(Instant::now());
        deaths.borrow_mut().retain(|death| death.elapsed() < MINUTE);
        if deaths.borrow().len() > MOST_DEATHS {
            tracing::error!(
                "the page's process ends again and again ({reason:?}); quit Deputy and start it again"
            );
            return;
        }
        tracing::warn!("the page's process ended ({reason:?}) and is started again");
        view.reload();
    });
}
