/**
 * The only files that a new task may touch, picked with the system's own dialog. If there are none, it may touch the
 * whole folder.
 */
import { FilePlus } from "lucide-react";
import { t } from "../../text";
import { desktop } from "../../transport";
import { Picked } from "../../ui/Picked";

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
      <Picked label={t("new.files")} paths={files} onChange={onChange} />
      <button type="button" className="btn" onClick={() => void pick()}>
        <FilePlus className="ic" aria-hidden="true" />
        {t("new.files.pick")}
      </button>
    </fieldset>
  );
}
