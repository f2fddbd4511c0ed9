//! Tests of the store with real SQLite files in temporary homes.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod chain;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod devices;
#[cfg(test)]
mod embeddings;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod inbox;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod memories;
#[cfg(test)]
mod notices;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod projection;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod support;
#[cfg(test)]
mod upkeep;
