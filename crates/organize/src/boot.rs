//! Identifies the current boot of the machine. What a process did during an earlier boot may not have reached the disk.

/// Returns the kernel's boot id. Empty if it is unknown, which counts as a different boot each time.
pub(crate) fn boot() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}
