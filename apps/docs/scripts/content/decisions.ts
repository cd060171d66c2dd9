import type { Page } from "./page.ts";
import { titleOf } from "./page.ts";

/** The list of decisions, the newest first. */
export function decisionsPage(written: readonly Page[]): Page {
  const decisions = written.filter(({ place }) => /^adr\/\d/.test(place)).reverse();
  const lines = decisions.map(({ place, text }) => {
    const [, number = "", title = ""] = /^(\d+)\s+(.*)$/.exec(titleOf(text)) ?? [];
    return `- ${number} [${title}](./${place.slice("adr/".length)})`;
  });
  const lead =
    "Each page records one decision: what it answers, what was decided, why not the alternatives, and what follows. What became of the others is in their [history](./history.md).";
  return { place: "adr/index.md", text: `# Decisions\n\n${lead}\n\n${lines.join("\n")}\n` };
}
