/** The options of a new task besides its goal: limits, scope and permissions. */
import type { Choices, Risk, StartCommand } from "../../protocol";
import { type Key, number, t, typedNumber } from "../../text";

/** The options as typed. An empty field means the configured value. */
export interface Options {
  profile: string;
  backend: string;
  steps: string;
  minutes: string;
  tokens: string;
  consent: Risk | "";
  /** Folders, files and tags, one per line. */
  read: string;
  write: string;
  files: string;
  tags: string;
}

export const USUAL: Options = {
  profile: "",
  backend: "",
  steps: "",
  minutes: "",
  tokens: "",
  consent: "",
  read: "",
  write: "",
  files: "",
  tags: "",
};

type Asked = Pick<
  StartCommand,
  | "profile"
  | "backend"
  | "model"
  | "max_iterations"
  | "max_wall_secs"
  | "max_tokens"
  | "max_cost_cents"
  | "standing_consent"
  | "terminal"
>;

/** Converts the options into the host's format. */
export function asked({ profile, backend, steps, minutes, tokens, consent }: Options): Asked {
  const limit = (text: string, unit = 1) => {
    const typed = typedNumber(text);
    return typed === undefined ? null : Math.round(typed * unit);
  };
  return {
    profile: profile || null,
    backend: backend || null,
    model: null,
    max_iterations: limit(steps),
    max_wall_secs: limit(minutes, 60),
    max_tokens: limit(tokens),
    max_cost_cents: null,
    standing_consent: consent || null,
    terminal: null,
  };
}

const LIMITS: readonly { of: "steps" | "minutes" | "tokens"; words: Key; usual(choices: Choices): number }[] =
  [
    { of: "steps", words: "new.limit", usual: ({ limits }) => limits.max_iterations },
    { of: "minutes", words: "new.minutes", usual: ({ limits }) => Math.ceil(limits.max_wall_secs / 60) },
    { of: "tokens", words: "new.tokens", usual: ({ limits }) => limits.max_tokens },
  ];
/** Returns whether a limit is neither empty nor a number that fits. Steps and tokens are whole. */
function isWrong(of: (typeof LIMITS)[number]["of"], text: string): boolean {
  const typed = typedNumber(text);
  const fits = typed !== undefined && (of === "minutes" || Number.isInteger(typed));
  return text.trim() !== "" && !fits;
}

/** Returns whether the task can be started with these options. */
export function areComplete(options: Options): boolean {
  return LIMITS.every(({ of }) => !isWrong(of, options[of]));
}

interface Props {
  options: Options;
  choices: Choices | undefined;
  onChange(options: Options): void;
}

export function ComposeOptions({ options, choices, onChange }: Props) {
  const set = (change: Partial<Options>) => onChange({ ...options, ...change });
  return (
    <div className="compose-options">
      <label>
        <span className="lbl">{t("new.consent")}</span>
        <select
          className="field"
          value={options.consent}
          onChange={(event) => set({ consent: event.target.value as Risk | "" })}
        >
          <option value="">{t("new.consent.none")}</option>
          <option value="low">{t("new.consent.low")}</option>
          <option value="medium">{t("new.consent.medium")}</option>
        </select>
      </label>
      {SCOPE.map(({ of, words, hint }) => (
        <label key={of}>
          <span className="lbl">{t(words)}</span>
          <textarea
            className="field"
            rows={1}
            spellCheck={false}
            value={options[of]}
            placeholder={t(hint)}
            onChange={(event) => set({ [of]: event.target.value })}
          />
        </label>
      ))}
      {LIMITS.map(({ of, words, usual }) => (
        <label key={of}>
          <span className="lbl">{t(words)}</span>
          <input
            className="field"
            inputMode="decimal"
            value={options[of]}
            placeholder={choices ? limitWords(usual(choices)) : ""}
            aria-invalid={isWrong(of, options[of])}
            onChange={(event) => set({ [of]: event.target.value })}
          />
          {isWrong(of, options[of]) && (
            <span role="alert" className="small setting-problem">
              {t("new.no_number", { example: number(24) })}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}

const SCOPE: readonly { of: "read" | "write" | "files" | "tags"; words: Key; hint: Key }[] = [
  { of: "read", words: "new.read", hint: "new.path.hint" },
  { of: "write", words: "new.write", hint: "new.path.hint" },
  { of: "files", words: "new.files", hint: "new.path.hint" },
  { of: "tags", words: "new.tags", hint: "new.tags.hint" },
];

/** Splits the text of a field into its lines, without duplicates and empty lines. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

function limitWords(limit: number): string {
  return limit === 0 ? t("new.none") : number(limit);
}
