//! Shell commands: the published cases, their mutations, properties, and the examples of the table.

mod corpus;
mod ground;
mod mutations;
mod properties;
