//! A model server on loopback that answers from a script, in the dialect of OpenAI's chat completions.

mod arrivals;
mod body;
mod dialect;
mod script;
mod server;

pub use arrivals::Arrival;
pub use script::{
    CloseTurn, CutTurn, GarbageTurn, HangTurn, HugeTurn, Script, ScriptedCall, SlowTurn, StatusTurn, Steps,
    TextTurn, ToolCallsTurn, Turn,
};
pub use server::{ScriptedModel, StartOptions};
