// Makes the newest section of a CHANGELOG.md, as Changesets writes it, one that can be skimmed: one line for each change under
// Added, Changed and Fixed, and below them each change in full with its day, which the service's changelog page reads.

/** A line has no more characters. */
const MAX_LINE = 180;
const GROUPS = ["Added", "Changed", "Fixed"];
/** Words of changes to what was there before, where a changeset does not begin with the name of its group. */
const CHANGES =
  /\b(?:no longer|(?:is|are|was|were) (?:called|renamed|refused|lost|gone)|instead of|in place of|has moved|have moved|takes? the place|now (?:has|have|is|are|takes?|gives?|says?))\b/;

/** The group of a change: the one that its text begins with, `Fixed: ...`; else by the kind of its release and its words. */
export function groupOf({ bump, text }) {
  const named = /^(Added|Changed|Fixed): /.exec(text)?.[1];
  if (named !== undefined) return named;
  if (bump === "patch") return "Fixed";
  return bump === "major" || CHANGES.test(text) ? "Changed" : "Added";
}

/** The first sentence of a change on one line. */
export function lineOf(text) {
  const plain = text
    .replace(/^(?:Added|Changed|Fixed): /, "")
    .replace(/\s+/g, " ")
    .trim();
  const [sentence = plain] = /^.*?[.!?](?=\s+[A-Z`@]|$)/.exec(plain) ?? [];
  if (sentence.length <= MAX_LINE) return sentence;
  const cut = sentence.slice(0, MAX_LINE);
  // between words, and not within code
  const end = cut.lastIndexOf(" ");
  const short = cut.slice(0, end);
  const isInCode = (short.match(/`/g)?.length ?? 0) % 2 === 1;
  return `${(isInCode ? short.slice(0, short.lastIndexOf("`")) : short).replace(/[\s,;:(]+$/, "")} …`;
}

/** Changes of a section, `{ bump, date, text }`, and the names of dependencies with their versions. */
function readSection(section) {
  const changes = [];
  const dependencies = [];
  for (const part of section.split(/^### /m).slice(1)) {
    const bump = /^(Major|Minor|Patch)/.exec(part)?.[1]?.toLowerCase();
    for (const item of part.split(/^- /m).slice(1)) {
      if (item.startsWith("Updated dependencies")) {
        dependencies.push(
          ...[...item.matchAll(/^ {2}- (\S+)@(\S+)$/gm)].map(([, name, version]) => `\`${name}\` ${version}`),
        );
        continue;
      }
      const [, date, text = ""] = /^(?:(\d{4}-\d{2}-\d{2}): )?([\s\S]*)$/.exec(item.trim()) ?? [];
      changes.push({ bump, date, text: text.replace(/^ {2}/gm, "") });
    }
  }
  return { changes, dependencies };
}

const bullet = ({ date, text }) =>
  `- ${date === undefined ? "" : `${date}: `}${text
    .split("\n")
    .map((line, i) => (i === 0 || line === "" ? line : `  ${line}`))
    .join("\n")}`;

/**
 * The changelog with its newest section grouped; as it is where that has been done.
 *
 * @param curated text, in Markdown from `###` on, that stands in place of the lines of the newest section.
 */
export function groupNewest(changelog, curated) {
  const [, head, title, section, rest] =
    /^([\s\S]*?)^(## \d[^\n]*\n)([\s\S]*?)(?=^## \d|(?![\s\S]))([\s\S]*)$/m.exec(changelog) ?? [];
  if (title === undefined || !/^### (?:Major|Minor|Patch) Changes/m.test(section)) return changelog;
  const { changes, dependencies } = readSection(section);
  const lines = GROUPS.flatMap((group) => {
    const own = [...new Set(changes.filter((change) => groupOf(change) === group).map(({ text }) => lineOf(text)))];
    return own.length === 0 ? [] : [`### ${group}\n\n${own.map((line) => `- ${line}`).join("\n")}`];
  });
  const needs = dependencies.length === 0 ? [] : [`Needs ${[...new Set(dependencies)].join(", ")}.`];
  const full = changes.filter(({ date }) => date !== undefined);
  const inFull = full.length === 0 ? [] : [`### In full\n\n${full.map(bullet).join("\n")}`];
  const body = [...(curated === undefined ? lines : [curated.trim()]), ...needs, ...inFull].join("\n\n");
  return `${head}${title}\n${body}\n${rest === "" ? "" : `\n${rest}`}`;
}
