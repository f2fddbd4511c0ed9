//! Words that raise the risk of something that is asked anyway. Their absence allows nothing.

/// What a text speaks of, in plain words; `None` when nothing in it stands out.
pub(crate) fn hint(text: &str) -> Option<&'static str> {
    const HINTS: &[(&[&str], &str)] = &[
        (
            &[".ssh", "id_rsa", "id_ed25519", "id_ecdsa", ".aws", ".netrc", ".npmrc", ".pypirc", ".gnupg", ".kube", "credentials", "/etc/shadow", "gshadow", ".env", "hosts.yml", "Cookies", "Login Data", "logins.json", "keyring", "keychain", ".pgpass", ".docker/config", ".git-credentials", "AKIA", "PRIVATE KEY", "/environ", "passwd", "password", "_TOKEN", "_SECRET", "SECRET_", "API_KEY", "APIKEY", "_KEY", "wallet", ".key", ".pem", "rclone.conf", ".config/gcloud", ".config/google-chrome", ".mozilla", "kdbx", ".vault", ".bash_history", ".zsh_history", "auth.json", "token"],
            "Names places where passwords, tokens or keys are kept.",
        ),
        (
            &[".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zprofile", ".zshenv", ".bash_logout", "authorized_keys", "autostart", "/etc/cron", "cron.d", "systemd", "/etc/profile", "/etc/rc", "init.d", "ld.so.preload", ".git/hooks", ".git/config", ".vscode", ".envrc", ".gitconfig", "LaunchAgents", ".config/fish", ".pam", "sudoers", ".xinitrc", ".xprofile", ".xsession", ".inputrc", ".vimrc", ".tmux.conf", "CurrentVersion\\Run", ".local/bin", ".local/share/applications", ".desktop", ".husky", "post-commit", "pre-commit", "PROMPT_COMMAND", "/etc/ld.so", "/etc/environment", ".mcp.json", ".idea", "udev"],
            "Names files that run by themselves later, or that other programs trust.",
        ),
        (&["/dev/tcp", "/dev/udp"], "Opens a connection through the shell."),
        (&["/dev/sd", "/dev/nvme", "/dev/hd", "/dev/vd", "/dev/mmcblk", "/dev/disk", "/dev/mapper", "/dev/mem", "/dev/kmem", "/dev/port"], "Names a raw disk or the machine's memory."),
        (&["9120", "deputy", "agentd"], "Speaks of Deputy's own programs, files or port."),
        (&["rm -", "rm\t", "mkfs", "shred ", "rmtree", "unlink(", "--no-preserve-root", "fork", "dd if", "wipefs"], "Holds commands that destroy files."),
        (&["base64 -d", "base64 --decode", "b64decode", "fromhex", "atob", "xxd -r", "\\x", "unhexlify", "rot13"], "Holds encoded text that is turned back."),
        (&["os.system", "subprocess", "child_process", "eval(", "exec(", "system(", "popen", "spawn", "sh -c", "bash -c", "/bin/sh", "/bin/bash", "__import__", "Runtime.getRuntime", "ProcessBuilder", "shell_exec", "proc_open", "io.popen", "os.execute", "`", "$("], "Holds code that runs other programs."),
        (&["169.254.", "metadata.google", "docker.sock", "containerd.sock"], "Reaches for cloud credentials or a socket that controls the machine."),
        (&["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_"], "Loads foreign code into other programs."),
        (&["sudo", "setuid", "setcap", "/etc/"], "Concerns rights over the machine."),
    ];
    HINTS.iter().find(|(words, _)| words.iter().any(|word| text.contains(word))).map(|(_, reason)| *reason)
}
