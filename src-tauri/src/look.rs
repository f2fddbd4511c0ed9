//! The person's wish for a dark screen, as desktops tell it today: through their portal. The toolkit by itself goes by the
//! name of its theme alone, and the page by the toolkit.

use futures_util::StreamExt;
use gtk::prelude::GtkSettingsExt;
use tauri::AppHandle;
use zbus::zvariant::{OwnedValue, Value};

const APPEARANCE: &str = "org.freedesktop.appearance";
const SCHEME: &str = "color-scheme";
/// The portal's word for it; the others are a wish for a light screen, and none.
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

/// Follows the wish for as long as there is a portal; without one the toolkit's theme stands.
pub(crate) async fn follow(app: AppHandle) {
    if let Err(error) = try_follow(&app).await {
        tracing::debug!("no portal tells of dark and light: {error}");
    }
}

async fn try_follow(app: &AppHandle) -> zbus::Result<()> {
    let portal = SettingsProxy::new(&zbus::Connection::session().await?).await?;
    let mut changes = portal.receive_setting_changed().await?;
    let now = portal.read(APPEARANCE, SCHEME).await?;
    // A desktop that states no preference may still have a dark theme: nothing is changed before it states one.
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

/// The portal wraps what it is asked for once or twice.
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
