//! The floor: the denials that no rule, grant or setting overrides.

use crate::Situation;
use crate::path;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;

/// Returns the reason in plain words why a command in normal form is denied, or `None` if the floor allows it.
///
/// Credentials and Deputy's own data are also part of the floor; `path::judge` denies access to them for files and
/// commands alike.
pub(crate) fn floor(situation: &Situation, argv: &[String], cwd: &Path) -> Option<Phrase> {
    let name = argv.first()?.as_str();
    let args = &argv[1..];
    if gains_privilege(name, args) {
        return Some(say::gains_rights(name));
    }
    if let Some(disk) = args.iter().find_map(|arg| raw_disk_written(name, arg)) {
        return Some(say::writes_raw_disk(disk));
    }
    if let Some(target) =
        deleted_trees(name, args).into_iter().find(|target| is_root_or_home(situation, cwd, target))
    {
        return Some(say::deletes_everything(target));
    }
    None
}

/// Whether the target of a redirect is a raw disk.
pub(crate) fn is_raw_disk(target: &str) -> bool {
    const DISKS: &[&str] = &[
        "/dev/sd",
        "/dev/nvme",
        "/dev/hd",
        "/dev/vd",
        "/dev/xvd",
        "/dev/mmcblk",
        "/dev/disk/",
        "/dev/mapper/",
        "/dev/dm-",
        "/dev/md",
        "/dev/mem",
        "/dev/kmem",
        "/dev/port",
        "/dev/rdisk",
        "/dev/nbd",
        "\\\\.\\PhysicalDrive",
    ];
    DISKS.iter().any(|disk| target.starts_with(disk))
}

fn gains_privilege(name: &str, args: &[String]) -> bool {
    const PROGRAMS: &[&str] = &[
        "sudo", "su", "doas", "pkexec", "run0", "runuser", "sudoedit", "gksudo", "nsenter", "setcap",
        "visudo", "insmod", "modprobe",
    ];
    let set_id = || {
        args.iter().any(|arg| {
            let symbolic = arg.contains("+s")
                || arg.contains("=s")
                || arg.contains("+xs")
                || arg.contains("+rxs")
                || arg.contains("+rwxs");
            let octal = arg.len() >= 4 && arg.bytes().all(|byte| (b'0'..=b'7').contains(&byte)) && {
                let digit = arg.as_bytes()[arg.len() - 4] - b'0';
                digit >= 2
            };
            symbolic || octal
        })
    };
    PROGRAMS.contains(&name) || (name == "chmod" && set_id())
}

fn raw_disk_written(name: &str, arg: &str) -> Option<String> {
    const SHOWING: &[&str] = &[
        "lsblk", "blkid", "df", "smartctl", "findmnt", "file", "stat", "ls", "udevadm", "echo", "printf",
        "grep", "rg",
    ];
    let target = arg.strip_prefix("of=").unwrap_or(arg);
    (is_raw_disk(target) && !SHOWING.contains(&name)).then(|| target.to_owned())
}

/// Returns the trees that a command deletes.
fn deleted_trees(name: &str, args: &[String]) -> Vec<String> {
    let operands = || args.iter().filter(|arg| !arg.starts_with('-')).cloned().collect::<Vec<_>>();
    let recursive = args.iter().any(|arg| {
        arg == "--recursive"
            || (arg.starts_with("--rec") && "--recursive".starts_with(arg.as_str()))
            || (arg.starts_with('-') && !arg.starts_with("--") && (arg.contains('r') || arg.contains('R')))
    });
    match name {
        "rm" if recursive => operands(),
        "find" => {
            let deletes = args.iter().any(|arg| arg == "-delete")
                || args.windows(2).any(|pair| {
                    pair[0].starts_with("-exec")
                        && matches!(pair[1].rsplit('/').next(), Some("rm" | "shred" | "unlink"))
                });
            if deletes {
                args.iter().take_while(|arg| !arg.starts_with(['-', '(', '!'])).cloned().collect()
            } else {
                Vec::new()
            }
        }
        "rsync" if args.iter().any(|arg| arg.starts_with("--del")) => operands().pop().into_iter().collect(),
        "mv" if args.last().is_some_and(|to| to == "/dev/null") => operands(),
        "chmod" | "chown" | "chgrp" if recursive => operands(),
        _ => Vec::new(),
    }
}

fn is_root_or_home(situation: &Situation, cwd: &Path, target: &str) -> bool {
    let target = target.strip_suffix("/*").or_else(|| target.strip_suffix("/.")).unwrap_or(target);
    let target = if target.is_empty() { "/" } else { target };
    let Some(real) = path::real(situation, cwd, target) else { return false };
    let home = situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone());
    const SYSTEM: &[&str] = &[
        "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin",
        "/srv", "/sys", "/usr", "/var", "/Users", "/System", "/Library",
    ];
    home.starts_with(&real) || SYSTEM.iter().any(|system| real == Path::new(system))
}
