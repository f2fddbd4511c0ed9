//! Prompts: what a person is asked at the terminal, and what a key or a typed line means.

use super::asked::is_cut;
use super::keyboard::{ESCAPE, Keyboard};
use super::screen::{Screen, Tone};
use super::steps;
use super::text::place;
use crate::failure::Failure;
use deputy_protocol::{
    AllowChoice, DenyChoice, GrantRule, Lifetime, Offer, PermissionRequest, Question, Risk,
};
use std::io::BufRead;

/// What the yes for a folder leaves to the person.
const MAY_RUN_LATER: &str =
    "   files that it changes may run when you use them: build scripts, tests, package scripts";

/// How a high risk is approved. The other screens ask for the same word.
const TYPE_YES: &str = "  Type yes, then Enter, to approve it once";
/// Anything but the whole word approves nothing.
const NOT_YET: &str =
    "Not approved yet. Type yes, all three letters, then Enter; or n to deny, or ? for help.";
const ONLY_ONCE_HIGH: &str = "Can only be allowed once: it could do real damage.";

/// What the next key or typed line is for.
#[derive(Clone, Debug)]
pub(super) enum Prompt {
    /// Yes or no to a request.
    Permission(Box<PermissionRequest>),
    /// For how long it is allowed.
    HowLong(Box<PermissionRequest>),
    /// Which of several calls a yes leaves out.
    LeaveOut(Box<PermissionRequest>),
    /// Why no; an empty line gives no reason.
    DenyReason(Box<PermissionRequest>),
    /// What to change; an empty line changes nothing.
    Change(Box<PermissionRequest>),
    /// What a broader answer would have let through has been shown: is it meant?
    ConfirmBroader(Box<PermissionRequest>, AllowChoice),
    /// The answer to a question.
    Question(Question),
    /// What to do with a paused task.
    Paused,
    /// Whether to make a request again that nobody answered in time.
    Expired,
    /// Whether a task that waits for its model's provider asks it already now.
    AwaitsProvider,
    /// What to say to the task.
    Steer,
    /// Whether this model does what no chore could.
    HandOver(String),
}

/// What a key or a typed line asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    Allow(AllowChoice),
    /// What this would have let through comes before it is remembered.
    Preview(AllowChoice),
    AskHowLong,
    AskLeaveOut,
    AskReason,
    AskChange,
    Deny(DenyChoice),
    ShowAll,
    /// Back to the request.
    Back,
    Answer(String),
    Resume,
    Stop,
    AskSteer,
    Steer(String),
    Leave,
    /// Not understood, or asked for: say what can be typed.
    Help(String),
}

impl Prompt {
    /// Whether it asks about calls that have not begun.
    pub(super) fn asks_before_a_call(&self) -> bool {
        matches!(self, Self::Permission(request) if request.details.wanted.is_none())
    }

    /// Whether one key answers it, without Enter.
    pub(super) fn takes_key(&self) -> bool {
        match self {
            // A high risk wants the whole word.
            Self::Permission(request) => !is_high(request),
            Self::HowLong(_)
            | Self::ConfirmBroader(..)
            | Self::Paused
            | Self::Expired
            | Self::AwaitsProvider
            | Self::HandOver(_) => true,
            Self::LeaveOut(_) | Self::DenyReason(_) | Self::Change(_) | Self::Question(_) | Self::Steer => {
                false
            }
        }
    }

    /// Shows what can be typed.
    pub(super) fn show(&self, screen: &Screen) {
        let text = match self {
            Self::Permission(request) if is_high(request) => {
                screen.line(&screen.paint(Tone::Quiet, &format!("    {ONLY_ONCE_HIGH}")));
                let names = names_offer(request).map_or("", |_| " / na[m]es only");
                format!("{TYPE_YES}{names} / [c]hange it… / [n]o{} / [?] > ", view_all(request))
            }
            Self::Permission(request) => {
                if let Some(why) = only_once(request) {
                    screen.line(&screen.paint(Tone::Quiet, &format!("    {why}")));
                }
                let work = folder_offer(&request.offered).map(|offer| covers(request, offer));
                if let Some(covers) = &work {
                    screen.prose(&screen.paint(Tone::Quiet, &format!("    w  {covers}")));
                }
                let work = work.map_or("", |_| "[w]ork in this folder / ");
                let always = if has_broader(request) { " / [a]lways…" } else { "" };
                let some = if request.details.steps.is_empty() { "" } else { " / [l]eave some out" };
                let all = view_all(request);
                format!("  Allow? {work}[y]es, once{always}{some} / [c]hange it… / [n]o{all} / [?] > ")
            }
            Self::HowLong(request) => {
                for (key, offer) in broader(&request.offered) {
                    screen.line(&format!("    {key}  {}", offer.label));
                }
                "  For how long? The number, or Esc > ".to_owned()
            }
            Self::LeaveOut(_) => "  Numbers to leave out, e.g. 2 4; Enter for none > ".to_owned(),
            Self::DenyReason(_) => "  Why not? (the model sees it; Enter for no reason) > ".to_owned(),
            Self::Change(_) => {
                "  What to change? (the model submits it again; Enter to go back) > ".to_owned()
            }
            Self::ConfirmBroader(..) => "  Save this answer? [y]es / [n]o > ".to_owned(),
            Self::Question(question) if question.choices.is_empty() => "  > ".to_owned(),
            Self::Question(question) => {
                let choices: Vec<String> =
                    abbreviated(question).map(|(key, choice)| with_key(key, choice)).collect();
                format!("  {}, or type an answer > ", choices.join(" / "))
            }
            Self::Paused => {
                "  [r]esume / [s]ay something / [q] stop the task / [l]eave it paused > ".to_owned()
            }
            Self::Expired => {
                "  Nobody answered in time. [a]sk again / [q] stop the task / [l]eave it > ".to_owned()
            }
            Self::AwaitsProvider => "  [c]ontinue now / [q] stop the task > ".to_owned(),
            Self::Steer => "  Say > ".to_owned(),
            Self::HandOver(model) => format!("  [m] to ask {model} instead, Enter to leave it > "),
        };
        screen.prompt(&text);
    }

    /// The prompt that a wish opens, if that is all it does.
    pub(super) fn next(&self, wish: &Wish) -> Option<Self> {
        Some(match (wish, self) {
            (Wish::AskSteer, _) => Self::Steer,
            (Wish::Back, Self::HowLong(request) | Self::LeaveOut(request) | Self::Change(request)) => {
                Self::Permission(request.clone())
            }
            (Wish::AskHowLong, Self::Permission(request)) => Self::HowLong(request.clone()),
            (Wish::AskLeaveOut, Self::Permission(request)) => Self::LeaveOut(request.clone()),
            (Wish::AskReason, Self::Permission(request)) => Self::DenyReason(request.clone()),
            (Wish::AskChange, Self::Permission(request)) => Self::Change(request.clone()),
            _ => return None,
        })
    }

    /// What a key means, where one answers; none where it is not for this.
    pub(super) fn key(&self, key: char) -> Option<Wish> {
        let is_enter = matches!(key, '\r' | '\n');
        Some(match self {
            // It takes the whole word.
            Self::Permission(request) if is_high(request) => return None,
            // Enter alone never means yes, and says nothing either.
            Self::Permission(_) if is_enter => Wish::Help("Press y, c, n or v; ? explains them.".into()),
            Self::Permission(request) => permission(request, key),
            Self::HowLong(_) if matches!(key, ESCAPE | 'q') => Wish::Back,
            Self::HowLong(request) => match broader(&request.offered).find(|(number, _)| *number == key) {
                Some((_, offer)) => Wish::Preview(choice(offer)),
                None => Wish::Help("Press one of the numbers, or Esc.".into()),
            },
            Self::ConfirmBroader(_, choice) if key == 'y' => Wish::Allow(choice.clone()),
            Self::ConfirmBroader(..) if is_enter => return None,
            Self::ConfirmBroader(..) => {
                Wish::Help("Nothing was saved, and the request is still open.".into())
            }
            Self::Paused => match key {
                'r' => Wish::Resume,
                's' => Wish::AskSteer,
                'q' => Wish::Stop,
                'l' => Wish::Leave,
                _ => Wish::Help("Press r, s, q or l.".into()),
            },
            Self::Expired => match key {
                'a' => Wish::Resume,
                'q' => Wish::Stop,
                'l' => Wish::Leave,
                _ => Wish::Help("Press a, q or l.".into()),
            },
            Self::AwaitsProvider => match key {
                'c' => Wish::Resume,
                'q' => Wish::Stop,
                _ => Wish::Help("Press c or q, or wait.".into()),
            },
            // Read where it was asked: by then the task has ended.
            Self::HandOver(_) => Wish::Help("The task has ended.".into()),
            Self::LeaveOut(_) | Self::DenyReason(_) | Self::Change(_) | Self::Question(_) | Self::Steer => {
                return None;
            }
        })
    }

    /// What a typed line means, where one is wanted.
    pub(super) fn line(&self, line: &str) -> Option<Wish> {
        let line = line.trim();
        Some(match self {
            Self::Change(_) if line.is_empty() => Wish::Back,
            Self::DenyReason(_) | Self::Change(_) => {
                let change = matches!(self, Self::Change(_));
                Wish::Deny(DenyChoice { reason: line.into(), change })
            }
            Self::Permission(request) if is_high(request) => high_risk(request, line),
            Self::LeaveOut(request) => {
                let named: Vec<String> =
                    line.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
                match steps::dropped(request, &named) {
                    Ok(_) if named.is_empty() => Wish::Back,
                    Ok(dropped) => Wish::Allow(AllowChoice { dropped, ..AllowChoice::once() }),
                    Err(error) => Wish::Help(error.to_string()),
                }
            }
            Self::Question(_) if line.is_empty() => Wish::Help("Type an answer.".into()),
            Self::Question(question) => {
                let mut choices = abbreviated(question);
                let chosen = choices
                    .find(|(key, _)| key.is_some_and(|key| line.eq_ignore_ascii_case(&key.to_string())));
                Wish::Answer(chosen.map_or(line, |(_, choice)| choice.as_str()).to_owned())
            }
            Self::Steer if line.is_empty() => Wish::Resume,
            Self::Steer => Wish::Steer(line.to_owned()),
            Self::Permission(_)
            | Self::HowLong(_)
            | Self::ConfirmBroader(..)
            | Self::Paused
            | Self::Expired
            | Self::AwaitsProvider
            | Self::HandOver(_) => return None,
        })
    }
}

/// The choices of a question, each with the letter that selects it: its first one, unless another choice begins with it, too.
fn abbreviated(question: &Question) -> impl Iterator<Item = (Option<char>, &String)> {
    let first = |choice: &String| choice.chars().next().filter(|letter| letter.is_alphabetic());
    question.choices.iter().map(move |choice| {
        let alike = question.choices.iter().filter(|other| first(other) == first(choice)).count();
        (first(choice).filter(|_| alike == 1), choice)
    })
}

/// `[s]top`.
fn with_key(key: Option<char>, choice: &str) -> String {
    key.map_or_else(|| choice.to_owned(), |key| format!("[{key}]{}", &choice[key.len_utf8()..]))
}

/// What the yes for the folder covers, and what it leaves to the person.
fn covers(request: &PermissionRequest, offer: &Offer) -> String {
    let here = match &offer.rule {
        Some(GrantRule::Folder(folder)) if folder.path != request.details.cwd => {
            format!("in {}", place(&folder.path))
        }
        _ => "here".to_owned(),
    };
    format!("edit, run, build, test and commit {here} for this task, offline; what it changes may run later")
}

fn view_all(request: &PermissionRequest) -> &'static str {
    if is_cut(request) { " / [v]iew all" } else { "" }
}

/// Why nothing but "once" is offered, where that is so.
fn only_once(request: &PermissionRequest) -> Option<&'static str> {
    if request.offered.len() != 1 {
        return None;
    }
    let details = &request.details;
    Some(match (request.risk, details.parts.len() + details.steps.len()) {
        (Risk::High, _) => ONLY_ONCE_HIGH,
        (_, 2..) => "Can only be allowed once: it does several things.",
        _ => "Can only be allowed once: the same request could do something else next time.",
    })
}

/// Whether a yes to a request is the whole word.
fn is_high(request: &PermissionRequest) -> bool {
    request.risk == Risk::High
}

/// Whether a line is the word that approves a high risk, as on every other screen.
fn is_whole_yes(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("yes")
}

/// Asks for the word that approves a high risk, for a command that was given at a terminal. Returns whether it was typed.
pub(crate) async fn typed_yes(screen: &Screen) -> bool {
    // What was typed before the request was shown is not an answer to it.
    Keyboard::new().lines();
    screen.prompt(&format!("{TYPE_YES} > "));
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|_| line)
    });
    let is_yes = matches!(line.await, Ok(Ok(line)) if is_whole_yes(&line));
    screen.typed();
    is_yes
}

/// What a line means for a request at high risk: the word approves, and a letter is what it is for other requests. It says
/// what to type otherwise, so that no answer is given by half.
fn high_risk(request: &PermissionRequest, line: &str) -> Wish {
    let mut letters = line.chars().flat_map(char::to_lowercase);
    match (letters.next(), letters.next()) {
        _ if is_whole_yes(line) => Wish::Allow(AllowChoice::once()),
        _ if line.eq_ignore_ascii_case("no") => Wish::AskReason,
        (Some(letter @ ('c' | 'n' | 'm' | 'd' | 'v' | 'w' | 'a' | '?' | 'h')), None) => {
            permission(request, letter)
        }
        _ => Wish::Help(NOT_YET.into()),
    }
}

/// What a key means for a request. Only what was offered can be said yes to.
fn permission(request: &PermissionRequest, key: char) -> Wish {
    match key {
        'y' | 'o' => Wish::Allow(AllowChoice::once()),
        'w' => match folder_offer(&request.offered) {
            Some(offer) => Wish::Allow(choice(offer)),
            None => Wish::Help("This cannot be allowed for the folder.".into()),
        },
        'm' => match names_offer(request) {
            Some(offer) => Wish::Allow(choice(offer)),
            None => Wish::Help("This request has no names to show without the values.".into()),
        },
        'c' => Wish::AskChange,
        'n' | 'd' => Wish::AskReason,
        'v' => Wish::ShowAll,
        'a' if has_broader(request) => Wish::AskHowLong,
        'a' => Wish::Help("This can only be allowed once.".into()),
        'l' if !request.details.steps.is_empty() => Wish::AskLeaveOut,
        '?' | 'h' => Wish::Help(explained(request)),
        _ => Wish::Help("Press y, c, n or v; ? explains them.".into()),
    }
}

/// What each key does.
fn explained(request: &PermissionRequest) -> String {
    let yes = if is_high(request) { "yes  allow it this time" } else { "y  allow it this time" };
    let mut lines = vec![yes];
    if folder_offer(&request.offered).is_some() {
        lines.insert(0, "w  let this task work in its folder; it asks for anything more");
        lines.insert(1, MAY_RUN_LATER);
    }
    if names_offer(request).is_some() {
        lines.insert(0, "m  let it see the names of the settings, and no value");
    }
    if has_broader(request) {
        lines.push("a  choose for how long: this task, this session, always ...");
    }
    if !request.details.steps.is_empty() {
        lines.push("l  allow it without some of them");
    }
    lines.push("c  say what to change; the model submits it again");
    lines.push("n  deny it; you can say why");
    lines.push("v  show all of it");
    lines.push("Ctrl-C  pause the task; twice stops it");
    lines.join("\n  ")
}

fn has_broader(request: &PermissionRequest) -> bool {
    broader(&request.offered).next().is_some()
}

/// The answer that comes before *once*, as the value of `--for`, and what it does.
pub(crate) fn first_answer(request: &PermissionRequest) -> Option<(&'static str, &'static str)> {
    let names = names_offer(request).map(|_| ("names", "shows the names of the settings, and no value"));
    names.or_else(|| folder_offer(&request.offered).map(|_| ("folder", "lets the task work in its folder")))
}

/// The answer that shows the names of settings without their values.
fn names_offer(request: &PermissionRequest) -> Option<&Offer> {
    request.offered.iter().find(|offer| matches!(offer.lifetime, Lifetime::Names(_)))
}

/// The yes for the folder, for this task.
pub(super) fn folder_offer(offers: &[Offer]) -> Option<&Offer> {
    let is_folder = |offer: &&Offer| matches!(offer.rule, Some(GrantRule::Folder(_)));
    offers.iter().filter(is_folder).find(|offer| matches!(offer.lifetime, Lifetime::Task(_)))
}

/// What is offered for longer than once, each with its key. The yes for the folder, for this task, has a key of its own.
fn broader(offers: &[Offer]) -> impl Iterator<Item = (char, &Offer)> {
    let is_longer = |offer: &&Offer| !offer.lifetime.is_one_call();
    let is_folder = |offer: &&Offer| matches!(offer.rule, Some(GrantRule::Folder(_)));
    let exact = offers.iter().filter(is_longer).filter(move |offer| !is_folder(offer));
    let folder = offers.iter().filter(is_folder).filter(|offer| !matches!(offer.lifetime, Lifetime::Task(_)));
    ('1'..='9').zip(exact.chain(folder))
}

fn choice(offer: &Offer) -> AllowChoice {
    AllowChoice { lifetime: offer.lifetime.clone(), wider: offer.wider, dropped: Vec::new() }
}

/// `once`, `names`, `folder`, `task`, `session`, `always` or minutes, as offered by a request; `wider` where more than the exact call
/// is meant. `folder` lets the task work in its folder.
pub(crate) fn offered_choice(
    request: &PermissionRequest,
    text: &str,
    wider: bool,
) -> Result<AllowChoice, Failure> {
    let word = |lifetime: &Lifetime| match lifetime {
        Lifetime::Once(_) => "once".to_owned(),
        Lifetime::Names(_) => "names".to_owned(),
        Lifetime::Task(_) => "task".to_owned(),
        Lifetime::Session(_) => "session".to_owned(),
        Lifetime::Always(_) => "always".to_owned(),
        Lifetime::Minutes(minutes) => format!("{}m", minutes.minutes),
    };
    if let Some(offer) = folder_offer(&request.offered).filter(|_| text == "folder") {
        return Ok(choice(offer));
    }
    if let Some(offer) =
        request.offered.iter().find(|offer| offer.wider == wider && word(&offer.lifetime) == text)
    {
        return Ok(AllowChoice { lifetime: offer.lifetime.clone(), wider, dropped: Vec::new() });
    }
    let flag = |wider: bool| if wider { " --wider" } else { "" };
    let message = format!("Request {} does not offer `--for {text}{}`.", request.id, flag(wider));
    let mut failure = Failure::usage(message, "It offers:");
    failure.error.hints.extend(request.offered.iter().map(|offer| {
        if folder_offer(&request.offered) == Some(offer) {
            return format!("  --for folder: {}", offer.label).into();
        }
        format!("  --for {}{}: {}", word(&offer.lifetime), flag(offer.wider), offer.label).into()
    }));
    Err(failure)
}
