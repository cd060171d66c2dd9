import { readFileSync } from "node:fs";

/** The lines `NAME: value` of the environment that all nodes of compose.yaml have, as they are written. */
function written(): [string, string][] {
  const text = readFileSync(new URL("../../../../../compose.yaml", import.meta.url), "utf8");
  const block = /^ {2}environment: &environment\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? "";
  return block.split("\n").flatMap((line): [string, string][] => {
    const [, name, value = ""] = /^ {4}([A-Z0-9_]+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.replace(/\s+#.*$/, "").replace(/^"(.*)"$/, "$1")]];
  });
}

/**
 * The environment that compose.yaml gives its nodes.
 *
 * @param variables of the shell: what stands in `${NAME}`, `${NAME:-default}` and `${NAME:?...}`.
 * @param hosts addresses of the containers, by those that the file names.
 */
export function composeEnvironment(
  variables: Readonly<Record<string, string>>,
  hosts: Readonly<Record<string, string>>,
): Record<string, string> {
  const lines = written();
  if (lines.length < 10) throw new Error("Expected the environment of the nodes in compose.yaml.");
  return Object.fromEntries(
    lines.map(([name, value]) => {
      const filled = value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, variable: string, kind, rest) => {
        const set = variables[variable];
        if (set === undefined && kind === "?") throw new Error(`compose.yaml wants ${variable}.`);
        return set ?? (kind === "-" ? (rest as string) : "");
      });
      return [name, Object.entries(hosts).reduce((text, [from, to]) => text.replace(from, to), filled)];
    }),
  );
}
