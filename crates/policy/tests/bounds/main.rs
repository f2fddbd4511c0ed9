//! What lies within bounds: paths and addresses by their published cases, by tables and by chance.

mod addresses;
mod corpus;
mod ground;
mod paths;
mod scope;
