/** The full output of a command, page by page, if its result shows only the beginning and the end. */
import { useState } from "react";
import type { KeptOutput } from "../../protocol";
import { useHost } from "../../store/hooks";
import { bytes, t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Output } from "../../ui/Output";
import { useAction } from "../../ui/useAction";

interface Props {
  call: string;
  kept: KeptOutput;
}

export function WholeOutput({ call, kept }: Props) {
  const { client } = useHost();
  const [text, setText] = useState("");
  /** The offset of the next page. `null` at the end. */
  const [next, setNext] = useState<number | null>(0);
  const more = useAction(async () => {
    const task = taskOf(call);
    const piece = await client.query({ query: "output", task, call, offset: next ?? 0 }, "output");
    setText((text) => text + piece.text);
    setNext(piece.next);
  });
  return (
    <div>
      {text !== "" && <Output text={text} label={t("call.output")} />}
      {next !== null && (
        <button type="button" className="btn" disabled={more.busy} onClick={() => void more.run()}>
          {next === 0 ? t("call.all_output", { bytes: bytes(kept.size_bytes) }) : t("call.more_output")}
        </button>
      )}
      {more.error && <ErrorNote error={more.error} onDismiss={more.clear} />}
    </div>
  );
}

/** Returns the task of a call, from the call's id: `TASK-ITERATION-INDEX`. */
export function taskOf(call: string): string {
  return call.replace(/-\d+-\d+$/, "");
}
