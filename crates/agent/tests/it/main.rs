//! The loop from outside: the machine by events, the driver with a scripted planner over a real journal and real files.

mod brakes;
mod cut;
mod loops;
mod machine;
mod net;
mod world;
