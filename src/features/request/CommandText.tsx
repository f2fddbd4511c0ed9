/** The command of a request, as it is typed. A long one shows its ends. */
import { useState } from "react";
import { visible } from "../../text/visible";
import { endsOf } from "../../ui/ends";
import { Gap } from "../../ui/Gap";

export function CommandText({ command }: { command: string }) {
  const [isWhole, setWhole] = useState(false);
  const { head, leftOut, tail } = endsOf(visible(command.trimEnd()).split("\n"), isWhole);
  return (
    <pre className="request-command mono">
      {head.join("\n")}
      {leftOut > 0 && <Gap lines={leftOut} onOpen={() => setWhole(true)} />}
      {tail.join("\n")}
    </pre>
  );
}
