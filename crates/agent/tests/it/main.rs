//! Tests of the loop from outside: the machine with events, and the driver with a scripted planner, a real journal and
//! real files.

#![allow(clippy::unwrap_used, clippy::expect_used)] // A panic in a test's support is a failed test.

mod at_stake;
mod background;
mod bad_days;
mod brakes;
mod browser;
mod build_output;
mod bulk;
mod clock;
mod cut;
mod decided;
mod embedders;
mod fetch;
mod files;
mod folder_yes;
mod functions;
mod git_undo;
mod grants;
mod guidance;
mod inbox;
mod inference;
mod instructions;
mod judged;
mod long;
mod loops;
mod machine;
mod memories;
mod net;
mod own_servers;
mod pictures;
mod provider_wait;
mod queue;
mod refused;
mod report;
mod results;
mod review;
mod scope;
mod settings;
mod spending;
mod start_block;
mod subtasks;
mod temporary;
mod together;
mod views;
mod world;
