// Lines of the packages' CHANGELOG.md: as Changesets writes them, with the date that the name of a changeset begins with.
// The service's changelog reads them (apps/docs/scripts/content/changelog.ts).

/** @param {{ id: string, summary: string }} changeset */
function getReleaseLine({ id, summary }) {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(id)?.[0];
  const [first = "", ...others] = summary.split("\n").map((line) => line.trimEnd());
  return [
    `- ${date === undefined ? "" : `${date}: `}${first}`,
    ...others.map((line) => (line === "" ? "" : `  ${line}`)),
  ].join("\n");
}

/** @param {readonly { name: string, newVersion: string }[]} dependencies */
function getDependencyReleaseLine(_changesets, dependencies) {
  if (dependencies.length === 0) return "";
  return ["- Updated dependencies", ...dependencies.map(({ name, newVersion }) => `  - ${name}@${newVersion}`)].join(
    "\n",
  );
}

export default { getReleaseLine, getDependencyReleaseLine };
