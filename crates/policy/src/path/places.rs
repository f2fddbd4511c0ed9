//! Places that do not belong to a specific tool, in lower case. The places of tools are in data files.

/// The kinds of keys that occur in names such as `id_ed25519.bak`.
pub(super) const KEY_KINDS: &[&str] =
    &["rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk", "ecdsa-sk", "ed25519-sk", "xmss"];

/// Deputy's own folders below the home directory, regardless of which one is configured.
pub(super) const OWN_HOME_PLACES: &[&str] =
    &[".deputy", ".config/deputy", ".local/share/deputy", ".local/state/deputy", ".cache/deputy"];

/// Places that belong to the operating system and its services.
pub(super) const SYSTEM_PLACES: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin", "/sys",
    "/usr", "/var/lib", "/system", "/library",
];

/// The places in which systems keep the certificates of trusted authorities: Debian, Fedora, Arch, Alpine, FreeBSD.
pub(super) const TRUST_STORES: &[&str] = &[
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/ca-trust",
    "/etc/ca-certificates",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/usr/share/pki",
    "/usr/lib/ssl",
    "/usr/local/share/certs",
];

/// Places below the system places that belong to a user: removable disks, and a session's files in memory.
pub(super) const USER_PLACES: &[&str] = &["/run/media", "/run/user", "/dev/shm"];

/// Places below a workspace that stay read-only for commands even if the workspace is writable, whether they exist or
/// not.
pub(super) const FROZEN: &[&str] = &[
    ".git/config",
    ".git/config.worktree",
    ".git/hooks",
    ".git/info/attributes",
    ".git/commondir",
    ".git/modules",
    ".gitmodules",
    ".vscode",
    ".idea",
    ".deputy",
    ".devcontainer",
    ".cursor",
    ".claude",
    ".zed",
    ".husky",
    ".githooks",
    ".envrc",
    ".mcp.json",
    ".ripgreprc",
];
