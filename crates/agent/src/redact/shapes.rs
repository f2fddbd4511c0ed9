//! The shapes of secrets. Each matches in linear time.

/// Shapes that are secrets as a whole. Providers designed their prefixes to be recognizable.
pub(super) const WHOLE: &[&str] = &[
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b",
    r"\bgithub_pat_[A-Za-z0-9_]{40,255}\b",
    r"\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ft)-[A-Za-z0-9_-]{20,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-[0-9]-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}",
    r"https://(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{20,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bsk-(?:proj|ant|or|svcacct|admin)-[A-Za-z0-9_-]{16,}",
    r"\bsk-[A-Za-z0-9]{32,}\b",
    r"\b(?:gsk|hf|r8|npm|rnd)_[A-Za-z0-9]{30,}\b",
    r"\b(?:xai|pplx)-[A-Za-z0-9]{30,}\b",
    r"\b[prs]k_(?:live|test)_[A-Za-z0-9]{16,}\b",
    r"\bwhsec_[A-Za-z0-9+/=]{24,}",
    r"\bpypi-AgE[A-Za-z0-9_-]{40,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bkey-[0-9a-f]{32}\b",
    r"\bSK[0-9a-f]{32}\b",
    r"\bdo[opr]_v1_[0-9a-f]{64}\b",
    r"\bdapi[0-9a-f]{32}\b",
    r"\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{30,}",
    r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}\b",
    r"\b(?:ntn|secret)_[A-Za-z0-9]{40,}\b",
    r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
    r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}",
    r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b",
    r"\bhv[bs]\.[A-Za-z0-9_-]{24,}",
    r"\bATATT3[A-Za-z0-9_=-]{50,}",
    r"\bdckr_pat_[A-Za-z0-9_-]{20,}",
    r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}",
    r"\brubygems_[0-9a-f]{48}\b",
    r"\bcio[A-Za-z0-9]{32}\b",
    r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9._-]{32,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    // Shapes that were added later: keys of services, and hashes of passwords.
    r"\bfig[dou]_[A-Za-z0-9_-]{20,}",
    r"\b(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})\b",
    r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}",
    r"\btskey-(?:[a-z]+-)?[A-Za-z0-9]{6,}-[A-Za-z0-9]{10,}",
    r"\b(?:FlyV1 )?(?:fm[12][ar]?|fo1)_[A-Za-z0-9+/=_-]{30,}",
    r"\bsl\.(?:[a-z]\.)?[A-Za-z0-9_-]{60,}",
    r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b",
    r"\b(?:ATBB[A-Za-z0-9_=-]{24,}|ATCTT3[A-Za-z0-9_=-]{50,}|BBDC-[A-Za-z0-9+/]{40,})",
    r"\bNR(?:AK|II|IQ|RA|BR|JS)-[A-Za-z0-9_-]{17,}|\b[0-9a-f]{36}NRAL\b",
    r"\bA{20,24}[A-Za-z0-9%]{40,}",
    r"\bnf[pcoub]_[A-Za-z0-9]{36,}\b",
    r"\bvc[pkcair]_[A-Za-z0-9]{24,}\b",
    r"\bHRKU-[A-Za-z0-9_-]{36,}",
    r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b",
    r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    r"\bpul-[0-9a-f]{40}\b",
    r"\bsq[apu]_[0-9a-f]{40}\b",
    r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b",
    r"\bAKCp[A-Za-z0-9]{69,}\b",
    r"\boy2[a-z0-9]{43}\b",
    r"\b[0-9a-f]{32}-us[0-9]{1,2}\b",
    r"\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b",
    r"\bEAA[A-Za-z0-9]{60,}\b",
    r"\b1//0[A-Za-z0-9_-]{40,}",
    r"\bpat-(?:na|eu)[0-9]-[0-9a-f-]{36}\b",
    r"\bCFPAT-[A-Za-z0-9_-]{40,}",
    r"\bdt0[a-z][0-9]{2}\.[A-Z2-7]{24}\.[A-Z2-7]{64}\b",
    r"\bbk(?:ua|pt)_[0-9a-f]{40}\b",
    r"\bCCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}\b",
    r"\bGR1348941[A-Za-z0-9_-]{20,}",
    r"\bops_eyJ[A-Za-z0-9+/=_-]{40,}",
    r"\bsk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
    r"\b[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    r"\$(?:apr1|1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}",
    r"\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}",
    r"\$[567y]\$(?:[./A-Za-z0-9=]{1,30}\$){1,2}[./A-Za-z0-9]{40,86}",
    r"\$(?:argon2(?:i|d|id)|scrypt|pbkdf2[a-z0-9-]*)\$[A-Za-z0-9$=,./+_-]{30,}",
    r"\bpbkdf2_sha[0-9]+\$[0-9]+\$[^\s$]{4,}\$[A-Za-z0-9+/=]{20,}",
    r"\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{24,}",
];

/// A private key from its first line to its last, or to the end of its text if it is truncated. Each line may be
/// prefixed by a file name and a line number, and the lines may be joined with `\n`.
pub(super) const PRIVATE_KEY: &str = concat!(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    r"(?:(?:\r?\n|\\n)(?:[^\s:\\]{1,200}[:-])?[ \t]*(?:[0-9]+[ \t:|-]+){0,2}",
    r"(?:[A-Z][A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{20,}|[A-Za-z0-9+/=]*\r?(?:(?m:$)|\\n)))*",
    r"(?:(?:\r?\n|\\n)?(?:[^\s:\\]{1,200}[:-])?[ \t]*(?:[0-9]+[ \t:|-]+){0,2}-----END [A-Z0-9 ]+-----)?",
);

/// Shapes in which only a part is the secret: the group `secret` is redacted, and the groups before and after it are
/// kept.
pub(super) const INSIDE: &[&str] = &[
    // The password of an address.
    r#"(?<before>\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@"'<>]*:)(?<secret>[^\s/@"'<>]{3,})(?<after>@)"#,
    r"(?<before>(?i:\bauthorization\s*[:=]\s*(?:bearer|basic|token)\s+))(?<secret>[A-Za-z0-9._~+/=-]{8,})(?<after>)",
    r"(?<before>(?i:\bbearer\s+))(?<secret>[A-Za-z0-9._~+/=-]{20,})(?<after>)",
    r"(?<before>\blogin\s+\S+\s+password\s+)(?<secret>\S+)(?<after>)",
    r"(?<before>\b(?:AccountKey|SharedAccessKey)=)(?<secret>[A-Za-z0-9+/=]{20,})(?<after>)",
    // The hash or cookie of a login, in the headers that carry it.
    r#"(?<before>(?i:set-cookie["']?\s*[:=]\s*["']?)[\w.-]+=)(?<secret>[^;\s"']{6,})(?<after>)"#,
    r#"(?<before>(?i:(?m:^|[\s"'>])cookie["']?:\s*["']?))(?<secret>[\w.-]+=[^\r\n"']{6,})(?<after>)"#,
    r#"(?<before>[?&](?i:(?:access|refresh|id|auth)_token|token|api_?key|client_secret|secret|passw(?:or)?d|pwd|sig|signature|x-(?:amz|goog)-(?:signature|security-token))=)(?<secret>[^&\s"'<>#]{8,})(?<after>)"#,
    r#"(?<before>(?i:\bkey-data["']?\s*:\s*["']?))(?<secret>[A-Za-z0-9+/=]{20,})(?<after>)"#,
    // Connection strings: a password among other pairs.
    r#"(?<before>(?i:\b[\w ]+=[^;="'\n]{1,200};\s*(?:password|pwd)\s*=\s*))(?<secret>[^;"'\s()]{3,})(?<after>)"#,
    r#"(?<before>(?i:\b(?:password|pwd)=))(?<secret>[^;"'\s()]{3,})(?<after>;\s*(?i:server|host|data source|user|uid|database|initial catalog|port|encrypt|integrated)\b)"#,
    r#"(?<before>\b(?:host|user|dbname|port)=\S+(?:[ \t]+\w+=\S+){0,6}?[ \t]+password=)(?<secret>[^\s'"]{3,})(?<after>)"#,
    // Arguments of commands.
    r#"(?<before>\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\s:"']+:)(?<secret>[^\s"']{3,})(?<after>)"#,
    r#"(?<before>\bsshpass\s+(?:-[a-z]+\s+)*-p\s*["']?)(?<secret>[^\s"']{3,})(?<after>)"#,
    r#"(?<before>\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p["']?)(?<secret>[^\s"'-][^\s"']{3,})(?<after>)"#,
    r#"(?<before>\bredis-cli\b[^\n|;&]{0,100}?\s-a\s+["']?)(?<secret>[^\s"']{4,})(?<after>)"#,
    r#"(?<before>\b(?:docker|podman)\s+login\b[^\n|;&]{0,200}?\s-p[ =]?["']?)(?<secret>[^\s"']{4,})(?<after>)"#,
    r"(?<before>-pass(?:in|out)?\s+pass:)(?<secret>\S{3,})(?<after>)",
];

/// Assignments to a name that indicates a secret, in quotes or in the format of environment files.
pub(super) const ASSIGNED: &[&str] = &[
    r#"(?<before>(?i:\b[\w.-]*(?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]*["']?\s*[:=]>?\s*["']))(?<secret>[^"'\s]{8,})(?<after>["'])"#,
    r"(?<before>(?m:^|[\s:|;&])(?:export\s+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*=)(?<secret>[^\s'\x22]{6,})(?<after>)",
    r"(?<before>(?m:^|[\s:|;&])(?i:[a-z0-9_.:/-]*(?:password|secret_access_key|client_secret|auth_?token|session_token))\s*[=:]\s*)(?<secret>[^\s'\x22]{8,})(?<after>)",
    // With a type, with `:=`, as two arguments of a call, or inside a call.
    r#"(?<before>(?i:\b[\w.-]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:pre)?shared[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|client[_-]?key|auth[_-]?key|credentials?|psk)[\w-]*["'\])]*\s*(?::\s*&?[\w.<>]{1,30}\s*=|:=|=>|={1,3}|:|,)\s*(?:[\w.:]+\()?["'`]))(?<secret>[^"'`\s]{8,})(?<after>["'`])"#,
    r#"(?<before>(?i:<(?:[\w:.-]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:pre)?shared[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|client[_-]?key|auth[_-]?key|credentials?|psk)[\w.-]*)(?:\s[^<>]*)?>\s*))(?<secret>[^<>\s]{6,})(?<after>\s*</)"#,
    r#"(?<before>(?i:\b(?:key|name)\s*=\s*["'][^"'\n]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:pre)?shared[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|client[_-]?key|auth[_-]?key|credentials?|psk)[^"'\n]*["']\s+value\s*=\s*["']))(?<secret>[^"'\s]{4,})(?<after>["'])"#,
    r#"(?<before>(?i:<key>[^<\n]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:pre)?shared[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|client[_-]?key|auth[_-]?key|credentials?|psk)[^<\n]*</key>\s*<string>))(?<secret>[^<\s]{4,})(?<after></string>)"#,
    r#"(?<before>(?m:^|[\s:|;&,{])(?i:[a-z0-9_.:/-]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:pre)?shared[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|client[_-]?key|auth[_-]?key|credentials?|psk))\s*[:=]\s*)(?<secret>[^\s'"<>,;]{16,})(?<after>)"#,
    r#"(?<before>(?i:\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:[a-z][\w-]*\s+)?))(?<secret>[A-Za-z0-9._~+/=-]{8,})(?<after>)"#,
    r#"(?<before>(?i:\bx-[\w-]*(?:key|token|secret|auth)[\w-]*["']?\s*:\s*["']?))(?<secret>[A-Za-z0-9._~+/=-]{8,})(?<after>)"#,
    r#"(?<before>--(?:[a-z]+-)*(?:passw(?:or)?d|passwd|pass|passphrase|token|secret|api-?key|access-key)[= ]["']?)(?<secret>[^\s"'<$-][^\s"']{5,})(?<after>)"#,
    r"(?<before>(?m:^)[ \t]*password[ \t]+)(?<secret>\S{6,})(?<after>)",
];

/// Phrases of several words, or of letters only, that are assigned to a name that indicates a password.
pub(super) const PHRASES: &[&str] = &[
    r#"(?<before>(?i:\b[\w.-]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret)["'\])]*\s*(?::\s*&?[\w.<>]{1,30}\s*=|:=|=>|={1,3}|:|,)\s*(?:[\w.:]+\()?["'`]))(?<secret>[^"'`\n]{12,})(?<after>["'`])"#,
    r#"(?<before>(?i:<(?:[\w:.-]*(?:passw(?:or)?d|passwd|pwd|passphrase|secret))(?:\s[^<>]*)?>))(?<secret>[^<>\n]{6,})(?<after></)"#,
];

/// `user:password` in base64, as used by registries.
pub(super) const LOGINS: &[&str] = &[
    r#"(?<before>(?i:(?m:^|[\s"':/])_?auth["']?\s*[:=]\s*["']?))(?<secret>[A-Za-z0-9+/_-]{8,}={0,2})(?<after>)"#,
];

/// Shapes that begin with a name of any length, so that each would have to scan the whole text. One pass finds which of
/// them occur. Shapes with counts (`{1,200}`) are left out, because together they would make that pass slow.
pub(super) const TOGETHER: &[&str] =
    &[INSIDE[6], ASSIGNED[0], ASSIGNED[1], ASSIGNED[2], ASSIGNED[3], ASSIGNED[7], LOGINS[0]];
