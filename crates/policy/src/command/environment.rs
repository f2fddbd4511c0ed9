//! Environment variables that decide what programs do.

/// Variables that change which programs run, what they load, or where they send things.
pub(crate) fn is_hijack(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "PATH", "IFS", "ENV", "BASH_ENV", "CDPATH", "PS4", "PS1", "SHELL", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "HOME", "LESSOPEN",
        "LESSCLOSE", "LESS", "CC", "CXX", "LD", "MAKEFLAGS", "MAKEFILES", "RUSTC_WRAPPER", "RUSTC", "RUSTFLAGS", "NODE_PATH", "TAR_OPTIONS",
        "RIPGREP_CONFIG_PATH", "CLASSPATH", "DISPLAY", "TMPDIR", "TERMINFO", "TERMCAP", "LOCPATH", "NLSPATH", "GCONV_PATH", "MALLOC_CHECK_",
        "HOSTALIASES", "RES_OPTIONS", "GZIP", "ZIPOPT", "UNZIP", "XZ_OPT", "DEBUGINFOD_URLS", "EXINIT", "VIMINIT", "INPUTRC", "POSIXLY_CORRECT",
        "FCEDIT", "GLOBIGNORE", "EXECIGNORE", "BROWSER", "MAGIC", "SUDO_ASKPASS", "SSH_AUTH_SOCK", "KUBECONFIG", "PSQLRC", "CURL_HOME", "WGETRC",
        "OPENSSL_CONF", "ALL_PROXY", "FIGNORE", "HISTFILE", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "TZDIR", "JQ_LIBRARY_PATH", "USER", "LOGNAME",
    ];
    const BEGINNINGS: &[&str] = &["LD_", "DYLD_", "GIT_", "PYTHON", "NODE_OPT", "PERL", "RUBY", "BASH_FUNC", "CARGO_", "RUST_TOOL", "RUSTUP", "NPM_", "npm_", "PIP_", "DOCKER_", "SSH_", "JAVA_", "_JAVA", "JDK_", "GRADLE_", "MAVEN_", "AWS_", "GLIBC_", "GREP_", "FZF_", "LUA_", "PHP", "DEPUTY"];
    const ENDS: &[&str] = &["PAGER", "EDITOR", "VISUAL", "_PROXY", "_proxy", "_OPTIONS", "_OPTS", "FLAGS", "ASKPASS", "_COMMAND", "_SHELL", "_WRAPPER"];
    NAMES.contains(&name) || BEGINNINGS.iter().any(|text| name.starts_with(text)) || ENDS.iter().any(|text| name.ends_with(text)) || name.contains('[')
}
