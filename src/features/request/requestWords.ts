/** Describes a request as text: what will happen, and how far it may reach. */
import type { Offer, Part, PermissionRequest, Risk } from "../../protocol";
import { requestedSteps } from "../../store/journal";
import { bytes, currentLanguage, duration, hostText, t, tn } from "../../text";
import { baseName, pathIn, shortPath, visible } from "../../text/visible";
import { planWords } from "../files/planWords";
import { consequence, listOf } from "./consequences";

/** The maximum number of names that are listed. More are counted. */
const NAMED = 3;

function partsOf(request: PermissionRequest, kind: Part["kind"]): string[] {
  return [...new Set(request.details.parts.filter((part) => part.kind === kind).map((part) => part.text))];
}

/** Returns the sentence at the top of the card. */
export function headline(request: PermissionRequest): string {
  const { wanted } = request.details;
  if (wanted) {
    // Newer hosts may send other operations.
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
  // Harmless parts are not what the request is about, unless there are no others.
  const asked = request.details.parts.filter(
    ({ kind, decision }) => kind === "command" && decision !== "allow",
  );
  const commands =
    asked.length > 0 ? [...new Set(asked.map(({ text }) => text))] : partsOf(request, "command");
  const hosts = partsOf(request, "host");
  const said =
    commands.length > NAMED
      ? [tn("request.runs", commands.length)]
      : [...new Set(commands.map((text) => consequence(text, cwd, hosts)))];
  // What `rm a` deletes is not also said to change.
  const isSaid = (path: string) => said.includes(t("request.do.delete", { what: pathIn(cwd, path) }));
  const written = partsOf(request, "write").filter((path) => !isSaid(path));
  if (written.length > 0) {
    const named =
      written.length <= 2
        ? listOf(written.map((path) => pathIn(cwd, path)))
        : tn("request.places", written.length);
    said.push(t("request.writes", { what: named }));
  }
  const unnamed = hosts.map(visible).filter((host) => !said.some((each) => each.includes(host)));
  if (unnamed.length > 0) said.push(t("request.reaches", { what: listOf(unnamed.slice(0, NAMED)) }));
  return said.length === 0 ? visible(hostText(request.summary)) : sentence(said);
}

/** Returns the heading of the card. Steps are only counted, because the card names each of them below. */
export function heading(request: PermissionRequest): string {
  const steps = requestedSteps(request);
  if (steps.length === 0) return headline(request);
  const edits = steps.filter(({ path }) => path !== null).length;
  const commands = steps.filter(({ command }) => command !== null).length;
  const others = steps.length - edits - commands;
  if (others === steps.length) return tn("request.step_count", others);
  const said: string[] = [];
  if (edits > 0) said.push(tn("request.edits", edits));
  if (commands > 0) said.push(tn("request.runs", commands));
  if (others > 0) said.push(tn("request.other_steps", others));
  return sentence(said);
}

/** Joins phrases to a list: the first is capitalized, the others are lowercase unless they start with a name. */
function sentence(said: readonly string[]): string {
  return listOf(said.map((each, at) => (at === 0 ? each : small(each))));
}

/** Returns a phrase for use inside a sentence. */
function small(words: string): string {
  // In German the phrase may begin with a noun.
  return currentLanguage() === "en" ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** Returns the label of the approve button: what will happen, and how long the approval lasts. */
export function allowWords(request: PermissionRequest, offer: Offer | undefined, dropped: number): string {
  if (request.details.plan) return t("request.allow_plan");
  const lifetime = offer?.lifetime;
  if (lifetime && lifetime.for !== "once" && lifetime.for !== "names") {
    const key = `request.allow.${lifetime.for}` as const;
    return t(key, lifetime.for === "minutes" ? { minutes: lifetime.minutes } : {});
  }
  if (request.details.command !== null) return t("request.allow_command");
  const all = requestedSteps(request).length;
  if (all === 0) return t("request.allow");
  return dropped === 0
    ? t("request.allow_all", { all })
    : t("request.allow_some", { all, kept: all - dropped });
}

/**
 * Returns whether the home is closed to the call, except for the folder: the task's consent in advance has the walls of a
 * yes for the folder where that fits.
 */
function isHomeClosed(request: PermissionRequest, consent: Risk | null | undefined): boolean {
  const isBroad = consent === "medium" || consent === "high";
  return isBroad && request.offered.some(({ rule }) => rule?.kind === "folder");
}

/** Returns whether it is a command, or one of the calls that are asked about together is. */
export function runsCommand(request: PermissionRequest): boolean {
  return request.details.command !== null || requestedSteps(request).some(({ command }) => command !== null);
}

/** Describes how far the call may reach, one sentence per entry. `consent` is the one that the task got in advance. */
export function reach(request: PermissionRequest, consent?: Risk | null): string[] {
  const { details } = request;
  const { confinement } = details;
  if (runsCommand(request)) {
    if (!isHomeClosed(request, consent)) return reachOfCommand(confinement);
    return [
      t(confinement === "read_only" ? "request.home.closed.none" : "request.home.closed"),
      t("request.net.no"),
    ];
  }
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

/**
 * Describes how far a command may reach. Without the network it may read the home; with it only the folder and the
 * named paths.
 */
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

/** Describes what is unusual about the command: its folder and its time limit. One sentence per entry. */
export function unusual({ details: { away_from, time_limit_secs } }: PermissionRequest): string[] {
  const said: string[] = [];
  if (away_from !== null) said.push(t("request.away_from", { folder: shortPath(away_from) }));
  if (time_limit_secs !== null)
    said.push(t("request.time_limit", { time: duration(time_limit_secs * 1000) }));
  return said;
}

/**
 * Returns the reasons for asking that the card does not show with a part, such as what the user refused before. The card
 * of a plan shows its operations instead of parts, and the reasons only if something was refused.
 */
export function otherReasons(request: PermissionRequest): string[] {
  const { reasons, details } = request;
  if (details.plan && details.refused_at_ms === null) return [];
  const parts = [...details.parts, ...requestedSteps(request).flatMap((step) => step.parts)];
  const shown = details.plan ? [] : parts.map((part) => hostText(part.reason));
  const words = [...new Set(reasons.map(hostText))].filter((reason) => !shown.includes(reason));
  return words.map((reason) => visible(reason.charAt(0).toLocaleUpperCase() + reason.slice(1)));
}

/** Describes what undo could not restore. `undefined` if there is nothing. */
export function notKept({ details: { not_kept } }: PermissionRequest): string | undefined {
  if (!not_kept) return undefined;
  const key = not_kept.and_more ? "request.not_kept_more" : "request.not_kept";
  return tn(key, not_kept.files, { size: bytes(not_kept.bytes) });
}

/** Returns the duration of an offer, for its button. */
export function offerWords({ lifetime }: Offer): string {
  return lifetime.for === "minutes"
    ? t("request.for.minutes", { minutes: lifetime.minutes })
    : t(`request.for.${lifetime.for}`);
}

/** Explains why an approval cannot be remembered. */
export function onceBecause(request: PermissionRequest): "access" | "high" | "several" | "unsteady" {
  const { risk, details } = request;
  if (details.wanted) return "access";
  if (risk === "high") return "high";
  return details.parts.length + requestedSteps(request).length > 1 ? "several" : "unsteady";
}
