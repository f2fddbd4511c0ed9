/** Describes a call as text: the line that names it, and its outcome. */
import {
  Brain,
  FilePen,
  FileText,
  FolderSearch,
  FolderTree,
  Globe,
  type LucideIcon,
  Search,
  Sparkles,
  Split,
  Terminal,
  Wrench,
} from "lucide-react";
import type { CallEntry } from "../../store/journal";
import { hostText, t, tn } from "../../text";
import { baseName, output, visible } from "../../text/visible";
import { planWords } from "../files/planWords";

/** The tool that delegates parts to sub-tasks. */
export const DELEGATE = "delegate";

/** The most informative parameters, in the order in which they are shown. */
const TELLING = ["action", "pattern", "query", "url", "path", "paths", "destination", "name"] as const;

function record(parameters: unknown): Record<string, unknown> {
  return typeof parameters === "object" && parameters !== null ? (parameters as Record<string, unknown>) : {};
}

/** Returns the name of a call: a command as code, anything else as text. */
export function callName(entry: Pick<CallEntry, "tool" | "parameters" | "summary">): {
  text: string;
  isCode: boolean;
} {
  const { tool, parameters, summary } = entry;
  const isCode = typeof record(parameters).command === "string";
  // Before the decision, the host has sent no summary.
  if (isCode || !summary || callLine(tool, parameters) === t("call.plan")) {
    return { text: callLine(tool, parameters), isCode: isCode || !summary };
  }
  return { text: visible(hostText(summary)), isCode: false };
}

/** Returns the call itself: the command, or the tool and its parameters. */
export function callLine(tool: string, parameters: unknown): string {
  const values = record(parameters);
  if (typeof values.command === "string") return visible(values.command.trim()).replaceAll("\n", " ⏎ ");
  if (tool === "organize" && values.action === "submit_plan") return t("call.plan");
  const told = TELLING.flatMap((name) => {
    const value = values[name];
    if (typeof value === "string" && value !== "") return [quoted(value)];
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").map(quoted) : [];
  });
  return visible([tool, ...told].join(" "));
}

function quoted(word: string): string {
  return /^[\w./~@:+,=*-]+$/.test(word) ? word : `"${word}"`;
}

export function callIcon(tool: string, parameters: unknown): LucideIcon {
  const action = record(parameters).action;
  switch (tool) {
    case "shell":
      return Terminal;
    case "search":
      return action === "grep" || action === "find" ? Search : FolderSearch;
    case "code":
      return action === "read" ? FileText : FilePen;
    case "browser":
      return Globe;
    case "organize":
      return FolderTree;
    case "memory":
      return Brain;
    case DELEGATE:
      return Split;
    case "python_inference":
      return Sparkles;
    default:
      return Wrench;
  }
}

/** Returns the most informative line of the outcome. */
export function outcomeLine(entry: CallEntry): string {
  const { result, request, answer } = entry;
  // The approved plan is more informative than the number of a job and its steps.
  const plan = request?.details.plan;
  if (plan && result?.status === "ok" && result.left_out === 0) return planWords(plan.plan.operations);
  // The result's text is for the model.
  if (result?.status === "denied" && answer?.choice.choice === "deny")
    return visible(hostText(answer.choice.reason));
  if (!result && answer?.by.by === "expiry") return t("request.expired");
  if (!result) return t(`call.${entry.phase === "done" ? "running" : entry.phase}`);
  const lines = output(result.content).split("\n");
  if (result.status === "ok" && result.exit_code === 0) {
    // On success, the output is more informative than the exit code.
    const printed = lines.slice(1).filter((line) => line.trim() !== "");
    if (printed.length === 0) return visible(hostText(result.summary));
    if (printed.length === 1 && result.output?.is_empty) return t("call.no_output");
    return printed.length === 1
      ? (printed[0] ?? "")
      : tn("call.lines", printed.length, { first: printed[0] ?? "" });
  }
  if (result.status === "failed" && result.exit_code !== null) {
    // Its own message seldom says that the sandbox was the cause.
    const [refused] = result.refused;
    if (refused) return visible(`${baseName(refused.path)}: ${hostText(refused.why)}`);
    const said = lines.find(
      (line, place) => place > 0 && line.trim() !== "" && !/^\[std(?:err|out)\]$/.test(line),
    );
    if (said) return said;
  }
  // The status is already shown before it.
  return visible(hostText(result.summary || (lines[0] ?? "")));
}

/** Returns the diff of an edit that was approved, which stays with its call. */
export function diffOf({ id, request }: CallEntry): string | undefined {
  const details = request?.details;
  if (details?.plan) return undefined;
  return details?.steps?.find(({ call }) => call === id)?.diff ?? details?.diff ?? undefined;
}
