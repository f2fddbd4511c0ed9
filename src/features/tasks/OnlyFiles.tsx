/** The only files that a new task may touch, picked with the window system's own dialog. None: all of its folder. */
import { FilePlus, X } from "lucide-react";
import { t } from "../../text";
import { shortPath } from "../../text/visible";
import { desktop } from "../../transport";

interface Props {
  files: readonly string[];
  onChange(files: string[]): void;
}

export function OnlyFiles({ files, onChange }: Props) {
  if (!desktop) return null;
  const pick = async () => {
    const picked = (await desktop?.pickFiles()) ?? [];
    if (picked.length > 0) onChange([...new Set([...files, ...picked])]);
  };
  return (
    <fieldset className="compose-files row wrap">
      <legend className="lbl">{t("new.files")}</legend>
      {files.map((file) => (
        <span key={file} className="picked mono">
          {shortPath(file)}
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("files.remove", { what: shortPath(file) })}
            onClick={() => onChange(files.filter((each) => each !== file))}
          >
            <X className="ic" aria-hidden="true" />
          </button>
        </span>
      ))}
      <button type="button" className="btn" onClick={() => void pick()}>
        <FilePlus className="ic" aria-hidden="true" />
        {t("new.files.pick")}
      </button>
    </fieldset>
  );
}
