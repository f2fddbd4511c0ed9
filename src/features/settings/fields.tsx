/** Lines of settings that several screens share: a switch, and an address field that saves. */
import { Line } from "./Line";
import { useDraft } from "./useDraft";

interface SwitchProps {
  name: string;
  hint?: string | undefined;
  on: boolean;
  busy?: boolean;
  onChange(on: boolean): void;
}

export function SwitchLine({ name, hint, on, busy, onChange }: SwitchProps) {
  return (
    <Line name={name} hint={hint} label>
      <input
        type="checkbox"
        className="switch"
        role="switch"
        aria-checked={on}
        checked={on}
        disabled={busy}
        onChange={(event) => onChange(event.target.checked)}
      />
    </Line>
  );
}

interface TopicProps {
  name: string;
  hint: string;
  /** The saved address. */
  address: string;
  keep(address: string): Promise<boolean>;
}

/** The field for the address of a topic at a relay. */
export function TopicLine({ name, hint, address, keep }: TopicProps) {
  const field = useDraft(address, (text) => keep(text.trim()));
  return (
    <Line name={name} hint={hint} label>
      <input
        type="url"
        className="field setting-wide"
        value={field.text}
        placeholder="https://relay.example/topic"
        spellCheck={false}
        onChange={(event) => field.edit(event.target.value)}
        onBlur={() => void field.keep()}
        onKeyDown={(event) => event.key === "Enter" && void field.keep()}
      />
    </Line>
  );
}
