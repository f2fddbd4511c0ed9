/** Describes who answered a request and how, and what that means for a single call of several. */
import type { Answerer, Choice, Responder } from "../../protocol";
import { hostText, type Key, t, tn } from "../../text";
import { visible } from "../../text/visible";

/** The clients on this computer, by the names that they report. */
const SCREENS = new Map<string, Key>([
  ["desktop", "request.screen.desktop"],
  ["terminal", "request.screen.terminal"],
  ["command line", "request.screen.command_line"],
]);

function screen(name: string): string {
  const key = SCREENS.get(name);
  return key ? t(key) : visible(name);
}

/** Returns where a person answered. */
export function responderWords(by: Responder): string {
  return by.by === "local"
    ? t("request.by.local", { screen: screen(by.screen) })
    : t("request.by.device", { name: visible(by.name) });
}

function who(by: Answerer): string {
  return by.by === "local" || by.by === "device" ? responderWords(by) : t("request.by.standing");
}

export function answerWords({ choice, by }: { choice: Choice; by: Answerer }, call?: string): string {
  if (by.by === "expiry") return t("request.expired");
  if (by.by === "instruction") return t("request.overtaken");
  if (choice.choice === "allow") {
    // Older hosts send no `dropped`.
    const dropped = choice.dropped ?? [];
    if (call && dropped.includes(call)) return `${t("request.left_out")} ${who(by)}`;
    const others = call === undefined && dropped.length > 0;
    const but = others && tn("request.left_out", dropped.length);
    const only = choice.lifetime.for === "names" && t("request.allowed.names");
    return [`${t("request.allowed")} ${who(by)}`, only, but].filter(Boolean).join(", ");
  }
  const reason = hostText(choice.reason).trim();
  return `${t(choice.change ? "request.changed" : "request.denied")} ${who(by)}${reason && `: ${visible(reason)}`}`;
}
