/** Who answered a request, and how. */
import type { Answerer, Choice } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";

function who(by: Answerer): string {
  switch (by.by) {
    case "local":
      return t("request.by.local", { screen: visible(hostText(by.screen)) });
    case "device":
      return t("request.by.device", { name: visible(by.name) });
    default:
      return t("request.by.standing");
  }
}

export function answerWords({ choice, by }: { choice: Choice; by: Answerer }): string {
  if (by.by === "expiry") return t("request.expired");
  if (choice.choice === "allow") return `${t("request.allowed")} ${who(by)}`;
  const reason = choice.reason.trim();
  return `${t("request.denied")} ${who(by)}${reason && `: ${visible(reason)}`}`;
}
