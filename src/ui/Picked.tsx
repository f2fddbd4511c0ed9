/** Picked paths, each with a button that removes it. */
import { X } from "lucide-react";
import { t } from "../text";
import { shortPath } from "../text/visible";

interface Props {
  label: string;
  paths: readonly string[];
  onChange(paths: string[]): void;
}

export function Picked({ label, paths, onChange }: Props) {
  if (paths.length === 0) return null;
  return (
    <ul className="row wrap" aria-label={label}>
      {paths.map((path) => (
        <li key={path} className="picked mono">
          {shortPath(path)}
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("files.remove", { what: shortPath(path) })}
            onClick={() => onChange(paths.filter((each) => each !== path))}
          >
            <X className="ic" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
