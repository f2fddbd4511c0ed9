/** A request in words: what will happen in a sentence, and how far it may go. */
import type { Offer, Part, PermissionRequest } from "../../protocol";
import { editsOf } from "../../store/journal";
import { bytes, currentLanguage, duration, hostText, t, tn } from "../../text";
import { baseName, pathIn, shortPath, visible } from "../../text/visible";
import { planWords } from "../files/planWords";
import { consequence, listOf } from "./consequences";

/** Names that are listed; beyond that they are counted. */
const NAMED = 3;

function partsOf(request: PermissionRequest, kind: Part["kind"]): string[] {
  return [...new Set(request.details.parts.filter((part) => part.kind === kind).map((part) => part.text))];
}

/** The sentence at the top of the card. */
export function headline(request: PermissionRequest): string {
  const { wanted } = request.details;
  if (wanted) {
    // A newer host may know more kinds.
    const what = wanted.operation === "write" ? "write" : wanted.operation === "read" ? "read" : undefined;
    const words = {
      program: visible(baseName(wanted.program)),
      path: pathIn(request.details.cwd, wanted.path),
    };
    if (what) return t(`request.wanted.${what}`, words);
  }
  if (request.details.plan) return planWords(request.details.plan.plan.operations);
  if (request.details.command === null) return visible(hostText(request.summary));
  const { cwd } = request.details;
  // What is harmless is not what the question is about, unless nothing else is.
  const asked = request.details.parts.filter(
    ({ kind, decision }) => kind === "command" && decision !== "allow",
  );
  const commands =
    asked.length > 0 ? [...new Set(asked.map(({ text }) => text))] : partsOf(request, "command");
  const written = partsOf(request, "write");
  const hosts = partsOf(request, "host");
  const said =
    commands.length > NAMED
      ? [tn("request.runs", commands.length)]
      : [...new Set(commands.map((text) => consequence(text, cwd, hosts)))];
  if (written.length > 0) {
    const named =
      written.length <= 2
        ? listOf(written.map((path) => pathIn(cwd, path)))
        : tn("request.places", written.length);
    said.push(t("request.writes", { what: named }));
  }
  const unnamed = hosts.map(visible).filter((host) => !said.some((each) => each.includes(host)));
  if (unnamed.length > 0) said.push(t("request.reaches", { what: listOf(unnamed.slice(0, NAMED)) }));
  if (said.length === 0) return visible(hostText(request.summary));
  // Several are one sentence: the first begins it, the rest continues in lower case where it is not a name.
  return listOf(said.map((each, at) => (at === 0 ? each : small(each))));
}

/** The same words within a sentence. */
function small(words: string): string {
  // In German it may begin with a noun.
  return currentLanguage() === "en" ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** What the button says that allows it: what will happen, and for how long it holds. */
export function allowWords(request: PermissionRequest, offer: Offer | undefined, dropped: number): string {
  if (request.details.plan) return t("request.allow_plan");
  const lifetime = offer?.lifetime;
  if (lifetime && lifetime.for !== "once") {
    const key = `request.allow.${lifetime.for}` as const;
    return t(key, lifetime.for === "minutes" ? { minutes: lifetime.minutes } : {});
  }
  if (request.details.command !== null) return t("request.allow_command");
  const all = editsOf(request).length;
  if (all === 0) return t("request.allow");
  return dropped === 0
    ? t("request.allow_edits", { all })
    : t("request.allow_some", { all, kept: all - dropped });
}

/** How far it may go, a sentence each. */
export function reach({ details }: PermissionRequest): string[] {
  if (details.command !== null) return reachOfCommand(details.confinement);
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

/** How far a command may go: without the network it reads the home, with it only the folder and what it names. */
function reachOfCommand(confinement: PermissionRequest["details"]["confinement"]): string[] {
  switch (confinement) {
    case "read_only":
      return [t("request.home.none"), t("request.net.no")];
    case "workspace":
      return [t("request.home.workspace"), t("request.net.no")];
    case "workspace_net":
      return [t("request.home.not"), t("request.net.yes")];
    case "open":
      return [t("request.writes.open")];
  }
}

/** What differs from how a command runs otherwise: its folder, its time. A sentence each. */
export function unusual({ details: { away_from, time_limit_secs } }: PermissionRequest): string[] {
  const said: string[] = [];
  if (away_from !== null) said.push(t("request.away_from", { folder: shortPath(away_from) }));
  if (time_limit_secs !== null)
    said.push(t("request.time_limit", { time: duration(time_limit_secs * 1000) }));
  return said;
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

/** Why a yes to it cannot be remembered. */
export function onceBecause({
  risk,
  details,
}: PermissionRequest): "access" | "high" | "several" | "unsteady" {
  if (details.wanted) return "access";
  if (risk === "high") return "high";
  return details.parts.length > 1 ? "several" : "unsteady";
}
