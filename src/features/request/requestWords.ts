/** A request in words: what will happen in a sentence, and how far it may go. */
import type { Offer, Part, PermissionRequest } from "../../protocol";
import { bytes, currentLanguage, hostText, t, tn } from "../../text";
import { baseName, visible } from "../../text/visible";

/** Names that are listed; beyond that they are counted. */
const NAMED = 3;

function partsOf(request: PermissionRequest, kind: Part["kind"]): string[] {
  return [...new Set(request.details.parts.filter((part) => part.kind === kind).map((part) => part.text))];
}

function listOf(names: string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(names);
}

/** The sentence at the top of the card. */
export function headline(request: PermissionRequest): string {
  if (request.details.command === null) return visible(hostText(request.summary));
  const commands = partsOf(request, "command");
  const written = partsOf(request, "write");
  const hosts = partsOf(request, "host");
  const programs = [...new Set(commands.map((text) => baseName(text.split(" ")[0] ?? text)))];
  const said: string[] = [];
  if (programs.length > 0) {
    const named = programs.length <= NAMED ? listOf(programs) : tn("request.commands", commands.length);
    said.push(t("request.runs", { what: named }));
  }
  if (written.length > 0) {
    const named = written.length <= 2 ? listOf(written.map(baseName)) : tn("request.places", written.length);
    said.push(t("request.writes", { what: named }));
  }
  if (hosts.length > 0) said.push(t("request.reaches", { what: listOf(hosts.slice(0, NAMED).map(visible)) }));
  if (said.length === 0) return visible(hostText(request.summary));
  const sentence = said.join(", ");
  // A program's name stays as it is, also where a language puts it first.
  const named = [...programs, ...written.map(baseName), ...hosts].some((name) => sentence.startsWith(name));
  return named ? sentence : sentence.charAt(0).toLocaleUpperCase(currentLanguage()) + sentence.slice(1);
}

/** How far it may go, a sentence each. */
export function reach({ details }: PermissionRequest): string[] {
  switch (details.confinement) {
    case "read_only":
      return [t("request.writes.none"), t("request.net.no")];
    case "workspace":
      return [t("request.writes.workspace"), t("request.net.no")];
    case "workspace_net":
      return [t("request.writes.workspace"), t("request.net.yes")];
    case "open":
      return [t("request.writes.open")];
  }
}

/** What undo could not bring back, or nothing. */
export function notKept({ details: { not_kept } }: PermissionRequest): string | undefined {
  if (!not_kept) return undefined;
  const key = not_kept.and_more ? "request.not_kept_more" : "request.not_kept";
  return tn(key, not_kept.files, { size: bytes(not_kept.bytes) });
}

/** An offer's length on its button. */
export function offerWords({ lifetime }: Offer): string {
  return lifetime.for === "minutes"
    ? t("request.for.minutes", { minutes: lifetime.minutes })
    : t(`request.for.${lifetime.for}`);
}
