//! Shell commands: the published cases, their mutations, properties, and the examples of the table.

#[cfg(test)]
mod adversary;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod blind;
#[cfg(test)]
#[path = "../corpus/cases.rs"]
mod cases;
mod corpus;
#[cfg(test)]
#[cfg(test)]
mod everyday;
mod folder;
#[cfg(test)]
mod fresh;
#[cfg(test)]
mod ground;
#[cfg(test)]
mod handed;
#[cfg(test)]
mod history;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod momentary;
mod mutations;
#[cfg(test)]
mod opened;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod revealed;
mod rounds;

#[cfg(test)]
mod ruled;
#[cfg(test)]
mod sentences;
#[cfg(test)]
mod starters;
#[cfg(test)]
mod techniques;
#[cfg(test)]
mod tracked;
