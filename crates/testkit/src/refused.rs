//! Simulates kernels and containers that forbid sandbox mechanisms, using a system call filter around a process.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::error::Error;

/// The mechanisms that can be forbidden.
pub const FEATURES: [&str; 4] = ["namespaces", "mounts", "landlock", "notification"];

/// Forbids a mechanism for this process and everything that it starts.
///
/// # Errors
///
/// Fails if the feature is unknown or the kernel rejects the filter.
pub fn refuse(feature: &str, errno: i32) -> Result<(), Box<dyn Error>> {
    let always = |call: i64| (call, Vec::new());
    let with_flag = |argument: u8, flag: i32| {
        let flag = u64::from(flag as u32);
        let is_set =
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(flag), flag);
        is_set.and_then(|is_set| SeccompRule::new(vec![is_set]))
    };
    let calls: Vec<(i64, Vec<SeccompRule>)> = match feature {
        "namespaces" => {
            let flags = [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWPID, libc::CLONE_NEWNET];
            let any = || flags.iter().map(|flag| with_flag(0, *flag)).collect::<Result<Vec<_>, _>>();
            vec![(libc::SYS_unshare, any()?), (libc::SYS_clone, any()?)]
        }
        "mounts" => [
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_pivot_root,
            libc::SYS_move_mount,
            libc::SYS_fsopen,
            libc::SYS_open_tree,
        ]
        .map(always)
        .into(),
        "landlock" => vec![always(libc::SYS_landlock_create_ruleset)],
        "notification" => {
            let flag = i32::try_from(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
            vec![(libc::SYS_seccomp, vec![with_flag(1, flag)?])]
        }
        other => return Err(format!("nobody knows how to refuse {other}").into()),
    };
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let apply = |calls: Vec<(i64, Vec<SeccompRule>)>, errno: i32| -> Result<(), Box<dyn Error>> {
        let refusal = SeccompAction::Errno(errno as u32);
        let calls: BTreeMap<_, _> = calls.into_iter().collect();
        let filter = SeccompFilter::new(calls, SeccompAction::Allow, refusal, arch)?;
        let program: BpfProgram = filter.try_into()?;
        Ok(seccompiler::apply_filter_all_threads(&program)?)
    };
    apply(calls, errno)?;
    if feature == "namespaces" {
        // Its flags are in memory, which filters cannot read. Programs fall back to another call.
        apply(vec![always(libc::SYS_clone3)], libc::ENOSYS)?;
    }
    Ok(())
}
