//! Parses shell text: characters, words, expansions and simple commands.

pub(crate) mod captures;
pub(crate) mod characters;
mod compound;
pub(crate) mod expand;
pub(crate) mod loose;
pub(crate) mod measure;
pub(crate) mod parse;
mod pieces;
pub(crate) mod quote;
pub(crate) mod script;
pub(crate) mod tokens;
pub(crate) mod unknown;
pub(crate) mod word;
