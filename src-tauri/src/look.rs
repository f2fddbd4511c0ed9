//! Follows the user's preference for a dark screen, as reported by the desktop portal. Without it, the toolkit only
//! looks at the name of its theme, and the page follows the toolkit.

use futures_util::StreamExt;
use gtk::prelude::GtkSettingsExt;
use tauri::AppHandle;
use zbus::zvariant::{OwnedValue, Value};

const APPEARANCE: &str = "org.freedesktop.appearance";
const SCHEME: &str = "color-scheme";
/// The portal's value for a dark screen. The other values mean light and no preference.
const DARK: u32 = 1;

#[zbus::proxy(
    interface = "org.freedesktop.portal.Settings",
    default_service = "org.freedesktop.portal.Desktop",
    default_path = "/org/freedesktop/portal/desktop"
)]
trait Settings {
    fn read(&self, namespace: &str, key: &str) -> zbus::Result<OwnedValue>;

    #[zbus(signal)]
    fn setting_changed(&self, namespace: &str, key: &str, value: Value<'_>) -> zbus::Result<()>;
}

/// Follows the preference as long as the portal is available. Without a portal, the toolkit's theme applies.
pub(crate) async fn follow(app: AppHandle) {
    if let Err(error) = try_follow(&app).await {
        tracing::debug!("no portal tells of dark and light: {error}");
    }
}

async fn try_follow(app: &AppHandle) -> zbus::Result<()> {
    let portal = SettingsProxy::new(&zbus::Connection::session().await?).await?;
    let mut changes = portal.receive_setting_changed().await?;
    let now = portal.read(APPEARANCE, SCHEME).await?;
    // A desktop without a preference may still have a dark theme, so nothing changes before it reports one.
    if number(&now) == Some(DARK) {
        show(app, true);
    }
    while let Some(change) = changes.next().await {
        let Ok(change) = change.args() else { continue };
        if (change.namespace, change.key) == (APPEARANCE, SCHEME)
            && let Some(wish) = number(&change.value)
        {
            show(app, wish == DARK);
        }
    }
    Ok(())
}

/// Unwraps a number. The portal wraps its values once or twice.
fn number(value: &Value<'_>) -> Option<u32> {
    match value {
        Value::U32(number) => Some(*number),
        Value::Value(inner) => number(inner),
        _ => None,
    }
}

fn show(app: &AppHandle, is_dark: bool) {
    let asked = app.run_on_main_thread(move || {
        if let Some(settings) = gtk::Settings::default() {
            settings.set_gtk_application_prefer_dark_theme(is_dark);
        }
    });
    if let Err(error) = asked {
        tracing::debug!("the window does not listen: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_is_found_however_often_it_is_wrapped() {
        let once = Value::Value(Box::new(Value::U32(1)));
        let twice = Value::Value(Box::new(once.clone()));
        for wrapped in [Value::U32(1), once, twice] {
            assert_eq!(number(&wrapped), Some(DARK));
        }
        assert_eq!(number(&Value::from("dark")), None);
    }
}
