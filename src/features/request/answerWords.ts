/** Who answered a request, and how; of one call among several, what that means for it. */
import type { Answerer, Choice } from "../../protocol";
import { hostText, type Key, t, tn } from "../../text";
import { visible } from "../../text/visible";

/** Screens of this computer, by the names that they give themselves. */
const SCREENS = new Map<string, Key>([
  ["desktop", "request.screen.desktop"],
  ["terminal", "request.screen.terminal"],
  ["command line", "request.screen.command_line"],
]);

function screen(name: string): string {
  const key = SCREENS.get(name);
  return key ? t(key) : visible(name);
}

function who(by: Answerer): string {
  switch (by.by) {
    case "local":
      return t("request.by.local", { screen: screen(by.screen) });
    case "device":
      return t("request.by.device", { name: visible(by.name) });
    default:
      return t("request.by.standing");
  }
}

export function answerWords({ choice, by }: { choice: Choice; by: Answerer }, call?: string): string {
  if (by.by === "expiry") return t("request.expired");
  if (choice.choice === "allow") {
    // An older host knows no edits that could be left out.
    const dropped = choice.dropped ?? [];
    if (call && dropped.includes(call)) return `${t("request.left_out")} ${who(by)}`;
    const others = call === undefined && dropped.length > 0;
    return `${t("request.allowed")} ${who(by)}${others ? `, ${tn("request.left_out", dropped.length)}` : ""}`;
  }
  const reason = hostText(choice.reason).trim();
  return `${t("request.denied")} ${who(by)}${reason && `: ${visible(reason)}`}`;
}
