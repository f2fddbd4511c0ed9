/** Summarizes a plan as text: `Move 12 files, rename 3 and put 2 in the trash`. */
import type { OrganizeOperation } from "../../protocol";
import { currentLanguage, t, tn } from "../../text";
import { countKinds } from "./draft";

export function planWords(operations: readonly OrganizeOperation[]): string {
  const said = countKinds(operations).map(([kind, count]) => tn(`files.sum.${kind}`, count));
  if (said.length === 0) return t("files.sum.none");
  const list = new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(said);
  return list.charAt(0).toLocaleUpperCase(currentLanguage()) + list.slice(1);
}
