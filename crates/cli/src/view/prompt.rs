//! Prompts: what a person is asked at the terminal, and what a typed line means.

use super::screen::{Screen, Tone};
use deputy_protocol::{Lifetime, Offer, PermissionRequest, Question, Risk};

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
    ConfirmBroader(Box<PermissionRequest>, Lifetime),
    /// The answer to a question.
    Question(Question),
    /// What to do with a paused task.
    Paused,
    /// What to say to the task.
    Steer,
}

/// What a typed line asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    Allow(Lifetime),
    /// What this would have let through comes before it is remembered.
    Preview(Lifetime),
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
                for offer in broader(&request.offered) {
                    let key = key(&offer.lifetime);
                    screen.line(&screen.paint(Tone::Quiet, &format!("    [{key}] {}", offer.label)));
                }
                let keys: Vec<&str> = request.offered.iter().map(|offer| word(&offer.lifetime)).collect();
                format!("  {} / [d]eny / [v]iew all > ", keys.join(" / "))
            }
            Self::DenyReason(_) => "  Why not? (told to the planner; Enter for no reason) > ".to_owned(),
            Self::ConfirmHigh(_) => "  This is of high risk. Type `yes` to allow it once > ".to_owned(),
            Self::ConfirmBroader(..) => "  Remember that? [y]es / [n]o > ".to_owned(),
            Self::Question(question) if question.choices.is_empty() => "  > ".to_owned(),
            Self::Question(question) => format!("  {} (or your own words) > ", question.choices.join(" / ")),
            Self::Paused => {
                "  [r]esume / [s]ay something / [q] stop the task / [l]eave it paused > ".to_owned()
            }
            Self::Steer => "  Say > ".to_owned(),
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
            Self::ConfirmHigh(_) if lower == "yes" => Wish::Allow(Lifetime::Once(Default::default())),
            Self::ConfirmHigh(_) => {
                Wish::Help("It was not allowed. Type the key again to allow it, or d to deny.".into())
            }
            Self::ConfirmBroader(_, lifetime) if matches!(lower.as_str(), "y" | "yes") => {
                Wish::Allow(lifetime.clone())
            }
            Self::ConfirmBroader(..) => Wish::Help("Nothing was remembered, and it still waits.".into()),
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
        }
    }
}

fn read_permission(request: &PermissionRequest, lower: &str) -> Wish {
    match lower {
        "d" | "n" | "no" | "deny" => return Wish::AskReason,
        "v" | "view" => return Wish::ShowAll,
        _ => {}
    }
    // Only what was offered can be said yes to; Enter alone never means yes.
    let offered = request.offered.iter().map(|offer| &offer.lifetime);
    let wanted = match lower {
        "y" | "yes" => "o",
        "once" => "o",
        "task" => "t",
        "session" => "s",
        "always" => "a",
        other => other,
    };
    match offered.into_iter().find(|lifetime| key(lifetime) == wanted) {
        Some(_) if request.risk == Risk::High => Wish::AskConfirmation,
        Some(lifetime @ Lifetime::Once(_)) => Wish::Allow(lifetime.clone()),
        Some(lifetime) => Wish::Preview(lifetime.clone()),
        None => Wish::Help("Type one of the letters in brackets.".into()),
    }
}

fn broader(offers: &[Offer]) -> impl Iterator<Item = &Offer> {
    offers.iter().filter(|offer| !matches!(offer.lifetime, Lifetime::Once(_)))
}

fn key(lifetime: &Lifetime) -> &'static str {
    match lifetime {
        Lifetime::Once(_) => "o",
        Lifetime::Task(_) => "t",
        Lifetime::Session(_) => "s",
        Lifetime::Minutes(_) => "m",
        Lifetime::Always(_) => "a",
    }
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
