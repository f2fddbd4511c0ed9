//! The D-Bus session bus: notifications that open their subject, and the check for a tray. Both are optional.

use crate::place::Place;
use crate::words::word;
use deputy_protocol::{Notice, NoticeKind};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use x11rb::protocol::xproto::ConnectionExt;
use zbus::zvariant::Value;

/// The timeout of a call. A service that the bus cannot start must not block the others.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The expiry that keeps a notification in the desktop's list.
const NEVER: i32 = 0;

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications"
)]
trait Notifications {
    #[allow(clippy::too_many_arguments)] // The specification defines the parameters.
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;

    fn close_notification(&self, id: u32) -> zbus::Result<()>;

    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action_key: String) -> zbus::Result<()>;
}

/// The notification service, and the notifications that are shown.
struct Service {
    proxy: NotificationsProxy<'static>,
    clicks: ActionInvokedStream,
    /// By the notice's key: the notification's number, and the place that it opens.
    shown: HashMap<String, (u32, Place)>,
}

/// Shows notices until the channel closes. Calls `open` with the place of a clicked notification.
pub(crate) async fn show_notices(mut notices: UnboundedReceiver<Notice>, open: impl Fn(Place)) {
    let mut service: Option<Service> = None;
    loop {
        let clicked = async {
            match &mut service {
                Some(service) => service.clicked().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            clicked = clicked => match clicked {
                Some(place) => open(place),
                // The bus is gone. The next notice connects again.
                None => service = None,
            },
            notice = notices.recv() => {
                let Some(notice) = notice else { return };
                if service.is_none() {
                    service = tokio::time::timeout(TIMEOUT, Service::find()).await.ok().and_then(told);
                }
                if let Some(found) = &mut service
                    && tokio::time::timeout(TIMEOUT, found.show(&notice)).await.ok().and_then(told).is_none()
                {
                    service = None;
                }
            }
        }
    }
}

impl Service {
    async fn find() -> zbus::Result<Self> {
        let proxy = NotificationsProxy::new(&zbus::Connection::session().await?).await?;
        let clicks = proxy.receive_action_invoked().await?;
        Ok(Self { proxy, clicks, shown: HashMap::new() })
    }

    async fn show(&mut self, notice: &Notice) -> zbus::Result<()> {
        let before = self.shown.remove(&notice.id);
        if notice.withdrawn {
            return match before {
                Some((id, _)) => self.proxy.close_notification(id).await,
                None => Ok(()),
            };
        }
        let (title, place) = match notice.kind {
            NoticeKind::Request => ("request", Place::Request(notice.id.clone())),
            NoticeKind::Question => ("question", Place::Request(notice.id.clone())),
            NoticeKind::Ended => ("ended", Place::Task(notice.task.to_string())),
        };
        let hints = HashMap::from([("desktop-entry", Value::from("deputy"))]);
        let replaces = before.map_or(0, |(id, _)| id);
        let (title, text) = (word(title), escaped(&notice.text));
        let open = word("open");
        let actions = ["default", open.as_str()];
        let id =
            self.proxy.notify("Deputy", replaces, "deputy", &title, &text, &actions, hints, NEVER).await?;
        self.shown.insert(notice.id.clone(), (id, place));
        Ok(())
    }

    /// Waits for a click on one of our notifications. Returns `None` if the bus is gone.
    async fn clicked(&mut self) -> Option<Place> {
        loop {
            let signal = self.clicks.next().await?;
            let Ok(clicked) = signal.args() else { continue };
            let of_click = |(_, (id, _)): &(&String, &(u32, Place))| *id == clicked.id;
            if let Some((_, (_, place))) = self.shown.iter().find(of_click) {
                return Some(place.clone());
            }
        }
    }
}

fn told<T>(result: zbus::Result<T>) -> Option<T> {
    result.inspect_err(|error| tracing::debug!("there are no notifications: {error}")).ok()
}

/// Escapes a text, because desktops interpret the text of a notification as markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns whether anything shows tray icons: a desktop's watcher of status icons, or an X11 system tray.
pub(crate) async fn has_tray() -> bool {
    has_watcher().await.unwrap_or_default() || has_old_tray().unwrap_or_default()
}

async fn has_watcher() -> zbus::Result<bool> {
    let bus = zbus::fdo::DBusProxy::new(&zbus::Connection::session().await?).await?;
    Ok(bus.name_has_owner("org.kde.StatusNotifierWatcher".try_into()?).await?)
}

/// Returns whether an X11 system tray runs. Its manager owns a selection of the screen.
fn has_old_tray() -> Result<bool, Box<dyn std::error::Error>> {
    let (connection, screen) = x11rb::connect(None)?;
    let name = format!("_NET_SYSTEM_TRAY_S{screen}");
    let selection = connection.intern_atom(false, name.as_bytes())?.reply()?.atom;
    Ok(connection.get_selection_owner(selection)?.reply()?.owner != x11rb::NONE)
}
