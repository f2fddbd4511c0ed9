//! Shell commands: the published cases, their mutations, properties, and the examples of the table.

#[cfg(test)]
mod adversary;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
#[path = "../corpus/cases.rs"]
mod cases;
mod corpus;
#[cfg(test)]
mod ground;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod revealed;
#[cfg(test)]
mod sentences;
#[cfg(test)]
mod techniques;
#[cfg(test)]
mod tracked;
