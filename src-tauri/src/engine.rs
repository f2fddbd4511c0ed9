//! The page's engine: kept small, without what the page does not use, without a browser's menu, and brought back when it dies.

use std::cell::RefCell;
use std::time::{Duration, Instant};
use webkit2gtk::{
    CacheModel, ContextMenu, ContextMenuAction, ContextMenuExt, ContextMenuItemExt,
    HardwareAccelerationPolicy, Settings, SettingsExt, WebContextExt, WebView, WebViewExt,
};

/// A page whose process dies more often than this within a minute is left alone: something else is wrong.
const MOST_DEATHS: usize = 5;
const MINUTE: Duration = Duration::from_secs(60);

/// What the menu of the right button offers: what is done with text. The rest is a browser's (back, reload, download).
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

/// Holds a view to what the window needs of it.
pub(crate) fn hold(view: &WebView) {
    if let Some(settings) = WebViewExt::settings(view) {
        keep_small(&settings);
    }
    if let Some(context) = view.context() {
        // There is one page, so nothing is kept for going back.
        context.set_cache_model(CacheModel::DocumentViewer);
    }
    view.connect_context_menu(|_, menu, _, _| keep_text_items(menu));
    bring_back(view);
}

/// The page is text and lines. Drawn without a graphics card it takes 80 MB less, comes up sooner, and no driver can leave
/// it blank. What it never does, no script in it can do either.
fn keep_small(settings: &Settings) {
    settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    settings.set_enable_page_cache(false);
    settings.set_enable_webgl(false);
    settings.set_enable_webaudio(false);
    settings.set_enable_media(false);
    settings.set_enable_webrtc(false);
    settings.set_enable_dns_prefetching(false);
}

/// Says whether there is nothing left to offer.
fn keep_text_items(menu: &ContextMenu) -> bool {
    let mut is_begun = false;
    for item in menu.items() {
        let is_offered = !item.is_separator() && OFFERED.contains(&item.stock_action());
        // A line is between two groups only.
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

/// The page lives in a process of the engine's. What it shows is with the host, so a new one shows the same.
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
