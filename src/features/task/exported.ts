/** Exports a conversation as Markdown. */
import type { Entry, Journal } from "../../store/journal";
import { date, englishOf, hostText, t } from "../../text";
import { goalWords, output, visible } from "../../text/visible";
import { endWords } from "../../ui/StatePill";
import { callName, diffOf } from "./callWords";

export function markdownOf(title: string, journals: readonly Journal[]): string {
  const parts = journals.flatMap(({ entries }) => entries.flatMap(partOf));
  return `${[`# ${title}`, ...parts].join("\n\n")}\n`;
}

function partOf(entry: Entry): string[] {
  switch (entry.is) {
    case "goal":
    case "steer":
      return [
        `## ${t(entry.is === "goal" ? "entry.goal" : "entry.steer")} · ${date(entry.at)}`,
        goalWords(entry.text),
      ];
    case "thought":
      return [visible(entry.text)];
    case "question":
      return [
        `**${t("question.label")}:** ${visible(hostText(entry.question.text))}`,
        visible(entry.answer?.text ?? ""),
      ];
    case "call": {
      const said = entry.result ? output(entry.result.content) : "";
      const diff = diffOf(entry);
      const head = `**${callName(entry).text}**`;
      return [head, ...(diff ? [fenced(visible(diff), "diff")] : []), ...(said ? [fenced(said, "")] : [])];
    }
    case "end": {
      const summary = entry.reason === "completed" ? englishOf(entry.summary) : hostText(entry.summary);
      return [`**${endWords(entry)}**`, visible(summary)];
    }
    default:
      return [];
  }
}

/** Returns a code block. Its fence is longer than any fence in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
