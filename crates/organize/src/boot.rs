//! Which start of the machine this is: what a process did before the last one may not have reached the disk.

/// What the kernel calls this start; empty where it does not say, which is taken for another one each time.
pub(crate) fn boot() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}
