//! The limits that a configuration or a profile sets.

use deputy_messages::agent as say;
use deputy_protocol::Limits;
use serde::{Deserialize, Deserializer, de::Error};

/// Limits to override; `None` keeps the existing value.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitOverrides {
    /// See [`Limits::max_iterations`].
    pub max_iterations: Option<u32>,
    /// See [`Limits::max_wall_secs`].
    pub max_wall_secs: Option<u64>,
    /// See [`Limits::max_tokens`].
    pub max_tokens: Option<u64>,
    /// See [`Limits::max_cost_cents`].
    pub max_cost_cents: Option<u64>,
    /// See [`Limits::day_tokens`].
    pub day_tokens: Option<u64>,
    /// See [`Limits::day_cost_cents`].
    pub day_cost_cents: Option<u64>,
    /// See [`Limits::inference_tokens`].
    pub inference_tokens: Option<u64>,
    /// See [`Limits::tool_output_chars`].
    pub tool_output_chars: Option<u32>,
    /// See [`Limits::context_tokens`].
    pub context_tokens: Option<u32>,
    /// See [`Limits::request_expiry_secs`].
    pub request_expiry_secs: Option<u64>,
    /// See [`Limits::brake_after`].
    pub brake_after: Option<u32>,
    /// See [`Limits::parallel_calls`].
    #[serde(deserialize_with = "parallel")]
    pub parallel_calls: Option<u32>,
    /// See [`Limits::command_secs`].
    pub command_secs: Option<u64>,
    /// See [`Limits::command_default_secs`].
    pub command_default_secs: Option<u64>,
    /// See [`Limits::command_cpu_secs`].
    pub command_cpu_secs: Option<u64>,
    /// See [`Limits::command_memory_mib`].
    pub command_memory_mib: Option<u64>,
    /// See [`Limits::command_processes`].
    pub command_processes: Option<u64>,
    /// See [`Limits::command_file_mib`].
    pub command_file_mib: Option<u64>,
    /// See [`Limits::command_output_mib`].
    #[serde(deserialize_with = "output")]
    pub command_output_mib: Option<u64>,
    /// See [`Limits::background_commands`].
    pub background_commands: Option<u32>,
    /// See [`Limits::background_secs`].
    pub background_secs: Option<u64>,
}

impl LimitOverrides {
    /// Returns `limits` with the overrides applied.
    pub fn over(&self, limits: Limits) -> Limits {
        Limits {
            max_iterations: self.max_iterations.unwrap_or(limits.max_iterations),
            max_wall_secs: self.max_wall_secs.unwrap_or(limits.max_wall_secs),
            max_tokens: self.max_tokens.unwrap_or(limits.max_tokens),
            max_cost_cents: self.max_cost_cents.unwrap_or(limits.max_cost_cents),
            day_tokens: self.day_tokens.unwrap_or(limits.day_tokens),
            day_cost_cents: self.day_cost_cents.unwrap_or(limits.day_cost_cents),
            inference_tokens: self.inference_tokens.unwrap_or(limits.inference_tokens),
            tool_output_chars: self.tool_output_chars.unwrap_or(limits.tool_output_chars),
            context_tokens: self.context_tokens.unwrap_or(limits.context_tokens),
            request_expiry_secs: self.request_expiry_secs.unwrap_or(limits.request_expiry_secs),
            brake_after: self.brake_after.unwrap_or(limits.brake_after),
            parallel_calls: self.parallel_calls.unwrap_or(limits.parallel_calls),
            command_secs: self.command_secs.unwrap_or(limits.command_secs),
            command_default_secs: self.command_default_secs.unwrap_or(limits.command_default_secs),
            command_cpu_secs: self.command_cpu_secs.unwrap_or(limits.command_cpu_secs),
            command_memory_mib: self.command_memory_mib.unwrap_or(limits.command_memory_mib),
            command_processes: self.command_processes.unwrap_or(limits.command_processes),
            command_file_mib: self.command_file_mib.unwrap_or(limits.command_file_mib),
            command_output_mib: self.command_output_mib.unwrap_or(limits.command_output_mib),
            background_commands: self.background_commands.unwrap_or(limits.background_commands),
            background_secs: self.background_secs.unwrap_or(limits.background_secs),
        }
    }
}

/// The maximum number of parallel calls. More would only wait for each other.
const MOST_PARALLEL: u32 = 64;
/// The maximum size of the output of a command, in MiB. All of it is kept in memory while the command runs.
const MOST_OUTPUT_MIB: u64 = 1024;

fn parallel<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(from)? {
        calls @ 1..=MOST_PARALLEL => Ok(Some(calls)),
        calls => Err(D::Error::custom(say::too_many_at_once(calls, MOST_PARALLEL))),
    }
}

fn output<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(from)? {
        mib @ 1..=MOST_OUTPUT_MIB => Ok(Some(mib)),
        mib => Err(D::Error::custom(say::too_much_output(mib, MOST_OUTPUT_MIB))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused() {
        let read = |text: &str| toml::from_str::<LimitOverrides>(text);
        assert_eq!(read("parallel_calls = 2").unwrap().over(Limits::default()).parallel_calls, 2);
        assert_eq!(read("").unwrap().over(Limits::default()), Limits::default());
        for wrong in [
            "parallel_calls = 0",
            "parallel_calls = 65",
            "command_output_mib = 0",
            "command_output_mib = 2000",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
