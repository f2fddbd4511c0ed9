//! Prompts: what a person is asked at the terminal, and what a typed line means.

use super::edits;
use super::screen::{Screen, Tone};
use deputy_protocol::{AllowChoice, Lifetime, Offer, PermissionRequest, Question, Risk};

/// What the next typed line is for.
#[derive(Clone, Debug)]
pub(super) enum Prompt {
    /// Yes or no to a request.
    Permission(Box<PermissionRequest>),
    /// Why no; an empty line gives no reason.
    DenyReason(Box<PermissionRequest>),
    /// A high risk wants the whole word.
    ConfirmHigh(Box<PermissionRequest>),
    /// What a broader answer would have let through has been shown: is it meant?
    ConfirmBroader(Box<PermissionRequest>, AllowChoice),
    /// The answer to a question.
    Question(Question),
    /// What to do with a paused task.
    Paused,
    /// What to say to the task.
    Steer,
    /// Whether this model does what no chore could.
    HandOver(String),
}

/// What a typed line asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    Allow(AllowChoice),
    /// What this would have let through comes before it is remembered.
    Preview(AllowChoice),
    AskReason,
    AskConfirmation,
    Deny(String),
    ShowAll,
    Answer(String),
    Resume,
    Stop,
    AskSteer,
    Steer(String),
    Leave,
    /// Not understood: say what can be typed.
    Help(String),
}

impl Prompt {
    /// Shows what can be typed.
    pub(super) fn show(&self, screen: &Screen) {
        let text = match self {
            Self::Permission(request) => {
                if let Some(why) = only_once(request) {
                    screen.line(&screen.paint(Tone::Quiet, &format!("    {why}")));
                }
                for offer in broader(&request.offered) {
                    let key = key(offer);
                    screen.line(&screen.paint(Tone::Quiet, &format!("    [{key}] {}", offer.label)));
                }
                if !request.details.edits.is_empty() {
                    let text = "    `o -2` allows all edits but the second, `o -1 -3` all but the first and the third.";
                    screen.line(&screen.paint(Tone::Quiet, text));
                }
                let exact = request.offered.iter().filter(|offer| !offer.wider);
                let keys: Vec<&str> = exact.map(|offer| word(&offer.lifetime)).collect();
                let has_wider = request.offered.iter().any(|offer| offer.wider);
                let wider = if has_wider { " / a letter and + for more like it" } else { "" };
                format!("  {}{wider} / [d]eny / [v]iew all > ", keys.join(" / "))
            }
            Self::DenyReason(_) => "  Why not? (told to the planner; Enter for no reason) > ".to_owned(),
            Self::ConfirmHigh(_) => "  This is high risk. Type `yes` to allow it once > ".to_owned(),
            Self::ConfirmBroader(..) => "  Remember that? [y]es / [n]o > ".to_owned(),
            Self::Question(question) if question.choices.is_empty() => "  > ".to_owned(),
            Self::Question(question) => format!("  {} (or your own words) > ", question.choices.join(" / ")),
            Self::Paused => {
                "  [r]esume / [s]ay something / [q] stop the task / [l]eave it paused > ".to_owned()
            }
            Self::Steer => "  Say > ".to_owned(),
            Self::HandOver(model) => format!("  [m] to ask {model} instead, Enter to leave it > "),
        };
        screen.prompt(&text);
    }

    /// What a typed line means.
    pub(super) fn read(&self, line: &str) -> Wish {
        let line = line.trim();
        let lower = line.to_lowercase();
        match self {
            Self::Permission(request) => read_permission(request, &lower),
            Self::DenyReason(_) => Wish::Deny(line.to_owned()),
            Self::ConfirmHigh(_) if lower == "yes" => Wish::Allow(AllowChoice::once()),
            Self::ConfirmHigh(_) => {
                Wish::Help("Not approved yet. Type the key again to approve, or d to deny.".into())
            }
            Self::ConfirmBroader(_, choice) if matches!(lower.as_str(), "y" | "yes") => {
                Wish::Allow(choice.clone())
            }
            Self::ConfirmBroader(..) => {
                Wish::Help("Nothing was saved, and the request is still open.".into())
            }
            Self::Question(_) if line.is_empty() => Wish::Help("Type an answer.".into()),
            Self::Question(_) => Wish::Answer(line.to_owned()),
            Self::Paused => match lower.as_str() {
                "r" | "resume" => Wish::Resume,
                "s" | "say" => Wish::AskSteer,
                "q" | "stop" => Wish::Stop,
                "l" | "leave" => Wish::Leave,
                _ => Wish::Help("Type r, s, q or l.".into()),
            },
            Self::Steer if line.is_empty() => Wish::Resume,
            Self::Steer => Wish::Steer(line.to_owned()),
            // Read where it was asked: by then the task has ended.
            Self::HandOver(_) => Wish::Help("The task has ended.".into()),
        }
    }
}

/// Why nothing but "once" is offered, where that is so.
fn only_once(request: &PermissionRequest) -> Option<&'static str> {
    if request.offered.len() != 1 {
        return None;
    }
    Some(match (request.risk, request.details.parts.len()) {
        (Risk::High, _) => "Can only be allowed once: it could do real damage.",
        (_, 2..) => "Can only be allowed once: it does several things.",
        _ => "Can only be allowed once: the same request could do something else next time.",
    })
}

fn read_permission(request: &PermissionRequest, lower: &str) -> Wish {
    match lower {
        "d" | "n" | "no" | "deny" => return Wish::AskReason,
        "v" | "view" => return Wish::ShowAll,
        _ => {}
    }
    // Only what was offered can be said yes to; Enter alone never means yes.
    let wanted = match lower {
        "y" | "yes" => "o",
        "once" => "o",
        "task" => "t",
        "session" => "s",
        "always" => "a",
        other => other,
    };
    if let Some(named) = left_out(lower) {
        return match edits::dropped(request, &named) {
            Ok(dropped) => Wish::Allow(AllowChoice { dropped, ..AllowChoice::once() }),
            Err(error) => Wish::Help(error.to_string()),
        };
    }
    let choice = |offer: &Offer| AllowChoice {
        lifetime: offer.lifetime.clone(),
        wider: offer.wider,
        dropped: Vec::new(),
    };
    match request.offered.iter().find(|offer| key(offer) == wanted) {
        Some(_) if request.risk == Risk::High => Wish::AskConfirmation,
        Some(offer) if matches!(offer.lifetime, Lifetime::Once(_)) => Wish::Allow(choice(offer)),
        Some(offer) => Wish::Preview(choice(offer)),
        None => Wish::Help("Type one of the letters in brackets.".into()),
    }
}

/// The numbers in a line as `o -2 -3`: what is left out of a yes for once.
fn left_out(lower: &str) -> Option<Vec<String>> {
    let mut words = lower.split_whitespace();
    let is_once = matches!(words.next(), Some("o" | "once" | "y" | "yes"));
    let numbers: Option<Vec<String>> = words.map(|word| word.strip_prefix('-').map(str::to_owned)).collect();
    numbers.filter(|numbers| is_once && !numbers.is_empty())
}

fn broader(offers: &[Offer]) -> impl Iterator<Item = &Offer> {
    offers.iter().filter(|offer| !matches!(offer.lifetime, Lifetime::Once(_)))
}

/// What is typed for an offer: a letter, and a `+` behind it for the wider one.
fn key(offer: &Offer) -> String {
    let letter = match offer.lifetime {
        Lifetime::Once(_) => "o",
        Lifetime::Task(_) => "t",
        Lifetime::Session(_) => "s",
        Lifetime::Minutes(_) => "m",
        Lifetime::Always(_) => "a",
    };
    format!("{letter}{}", if offer.wider { "+" } else { "" })
}

fn word(lifetime: &Lifetime) -> &'static str {
    match lifetime {
        Lifetime::Once(_) => "allow [o]nce",
        Lifetime::Task(_) => "for this [t]ask",
        Lifetime::Session(_) => "for this [s]ession",
        Lifetime::Minutes(_) => "for some [m]inutes",
        Lifetime::Always(_) => "[a]lways",
    }
}
