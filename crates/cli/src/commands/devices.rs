//! `deputy devices`: pairs, lists, renames and revokes phones and browsers.

use super::Context;
use super::jobs::ambiguous;
use crate::args::DevicesCommand;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable, when};
use deputy_protocol::{
    Command, ConfirmPairingCommand, Device, DeviceId, DeviceScope, DevicesQuery, ErrorCode, PairingAnswer,
    PairingQuery, PairingStage, Query, QueryAnswer, RenameDeviceCommand, RevokeDeviceCommand,
    StartPairingCommand,
};
use deputy_server::Client;
use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;

/// The interval at which the state of the pairing is polled.
const LOOK: Duration = Duration::from_millis(300);

/// Runs the command.
pub(crate) async fn execute(cx: &Context, command: DevicesCommand) -> Result<End, Failure> {
    let change = match command {
        DevicesCommand::Pair { may } => {
            return pair(cx, may.into_iter().map(DeviceScope::from).collect()).await;
        }
        DevicesCommand::List => None,
        DevicesCommand::Rename { device, name } => {
            Some(Command::RenameDevice(RenameDeviceCommand { device: DeviceId::new(device), name }))
        }
        DevicesCommand::Revoke { device } => {
            Some(Command::RevokeDevice(RevokeDeviceCommand { device: DeviceId::new(device) }))
        }
    };
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let answer = listed(&mut session.client, change).await;
    session.close().await;
    let QueryAnswer::Devices(answer) = answer? else { return Err(does_not_fit()) };
    view::ids::know(answer.devices.iter().map(|device| &device.id));
    let screen = Screen::new();
    if answer.devices.is_empty() && !cx.json {
        screen.hint("No devices paired. Pair one with `deputy devices pair`.");
    }
    for device in &answer.devices {
        if cx.json {
            view::print_json(device);
        } else {
            print(&screen, device);
        }
    }
    Ok(End::Done)
}

/// Performs a change, if any, and then queries the devices.
async fn listed(client: &mut Client, change: Option<Command>) -> Result<QueryAnswer, Failure> {
    let list = Query::Devices(DevicesQuery {});
    if let Some(mut command) = change {
        let QueryAnswer::Devices(known) = client.query(list.clone()).await? else {
            return Err(does_not_fit());
        };
        let ids: Vec<String> = known.devices.iter().map(|device| device.id.to_string()).collect();
        if let Command::RenameDevice(RenameDeviceCommand { device, .. })
        | Command::RevokeDevice(RevokeDeviceCommand { device }) = &mut command
        {
            let typed = device.to_string();
            *device = view::ids::named(&ids, &typed).map(DeviceId).map_err(ambiguous(&typed))?;
        }
        client.command(command).await?;
    }
    Ok(client.query(list).await?)
}

fn print(screen: &Screen, device: &Device) {
    let scopes: Vec<&str> = device.scopes.iter().map(|scope| word(*scope)).collect();
    let state = match (device.revoked_at_ms, device.last_seen_ms) {
        (Some(at), _) => format!("revoked {}", when(at)),
        (None, Some(at)) => format!("last seen {}", when(at)),
        (None, None) => "never seen".to_owned(),
    };
    screen.line(&format!("{}  {}  {}  {state}", device.id, printable(&device.name), scopes.join(", ")));
}

fn word(scope: DeviceScope) -> &'static str {
    match scope {
        DeviceScope::Monitor => "monitor",
        DeviceScope::Approve => "approve",
        DeviceScope::Command => "command",
    }
}

async fn pair(cx: &Context, scopes: Vec<DeviceScope>) -> Result<End, Failure> {
    let Some(mut client) = Client::connect(&cx.homes.deputy, None, false).await? else {
        return Err(Failure::new(
            ErrorCode::NoHost,
            format!("Nothing serves {}, so no device could connect.", cx.homes.deputy.display()),
            "Start `deputy serve`, then pair.",
        ));
    };
    client.command(Command::StartPairing(StartPairingCommand { scopes })).await?;
    let mut pairing = ask(&mut client).await?;
    let screen = Screen::new();
    if cx.json {
        view::print_json(&QueryAnswer::Pairing(pairing.clone()));
    } else {
        draw(&screen, &pairing.link);
        screen.line("Scan this with the device, or open the link on it. It works once, for ten minutes:");
        screen.line(&pairing.link);
    }
    let mut is_asked = false;
    loop {
        match &pairing.stage {
            PairingStage::Claimed(claimed) if !is_asked => {
                is_asked = true;
                if cx.json {
                    view::print_json(&QueryAnswer::Pairing(pairing.clone()));
                }
                let accept = confirm(&claimed.name, &claimed.number).await;
                let confirm = ConfirmPairingCommand { number: claimed.number.clone(), accept };
                client.command(Command::ConfirmPairing(confirm)).await?;
            }
            PairingStage::Paired(done) => {
                if cx.json {
                    view::print_json(&done.device);
                } else {
                    screen.line(&format!("Paired: {} ({}).", printable(&done.device.name), done.device.id));
                }
                return Ok(End::Done);
            }
            PairingStage::Over(over) => {
                let hint = "Start over with `deputy devices pair`.";
                return Err(Failure::new(
                    ErrorCode::PairingOver,
                    format!("Nothing was paired. {}", over.reason),
                    hint,
                ));
            }
            PairingStage::Waiting(_) | PairingStage::Claimed(_) => tokio::time::sleep(LOOK).await,
        }
        pairing = ask(&mut client).await?;
    }
}

/// Asks the user whether both sides show the same number. Anything but a clear yes counts as no.
async fn confirm(name: &str, number: &str) -> bool {
    let (top, rest) = number.split_at(number.len().min(3));
    eprintln!("\n\"{}\" has come. Does it show {top} {rest}?", printable(name));
    if !std::io::stdin().is_terminal() {
        eprintln!("Type yes or no.");
    }
    eprint!("yes/no: ");
    // If standard error is closed, there is nothing to flush.
    let _ = std::io::stderr().flush();
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|_| line)
    });
    matches!(line.await, Ok(Ok(line)) if line.trim().eq_ignore_ascii_case("yes"))
}

/// Prints the link as a QR code in half-block characters.
fn draw(screen: &Screen, link: &str) {
    // A link is short enough for a QR code. If it should not fit, the printed link is sufficient.
    if let Ok(code) = qrcode::QrCode::new(link) {
        use qrcode::render::unicode::Dense1x2;
        // Most terminals are dark, so modules that are dark on paper are left empty.
        let picture =
            code.render::<Dense1x2>().dark_color(Dense1x2::Dark).light_color(Dense1x2::Light).build();
        screen.line(&picture);
    }
}

async fn ask(client: &mut Client) -> Result<PairingAnswer, Failure> {
    match client.query(Query::Pairing(PairingQuery {})).await? {
        QueryAnswer::Pairing(pairing) => Ok(pairing),
        _ => Err(does_not_fit()),
    }
}

fn does_not_fit() -> Failure {
    Failure::new(ErrorCode::Host, "The host's answer does not fit.", "Use the same version for both.")
}
