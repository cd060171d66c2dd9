import { counted } from "../parse/faults.ts";
import { SCHEMA_VERSION } from "../vocabulary.ts";
import { type Finding, RULES } from "./finding.ts";

/** The findings in one file. */
export interface FileFindings {
  readonly file: string;
  readonly findings: readonly Finding[];
}

/** The format in which findings are written. */
export type CheckFormat = "text" | "json" | "sarif";

/** Counts the findings of a level over all files. */
export function countOf(files: readonly FileFindings[], level: Finding["level"]): number {
  return files.reduce((sum, { findings }) => sum + findings.filter((each) => each.level === level).length, 0);
}

/** Writes findings as lines (`file:line:column: level rule: message`), as JSON, or as SARIF 2.1.0. */
export function formatFindings(files: readonly FileFindings[], format: CheckFormat): string {
  switch (format) {
    case "json":
      return toJson(files);
    case "sarif":
      return toSarif(files);
    case "text":
      return toText(files);
  }
}

function toText(files: readonly FileFindings[]): string {
  const lines = files.flatMap(({ file, findings }) =>
    findings.map(({ line, column, level, rule, message }) => `${file}:${line}:${column}: ${level} ${rule}: ${message}`),
  );
  const summary = [
    counted(files.length, "file"),
    counted(countOf(files, "error"), "error"),
    counted(countOf(files, "warning"), "warning"),
  ].join(", ");
  return `${[...lines, summary].join("\n")}\n`;
}

function toJson(files: readonly FileFindings[]): string {
  const document = {
    schemaVersion: SCHEMA_VERSION,
    errors: countOf(files, "error"),
    warnings: countOf(files, "warning"),
    files: files.map(({ file, findings }) => ({ file, findings })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** SARIF 2.1.0 (OASIS): one run, a result for each finding, the suggestion as a fix. */
function toSarif(files: readonly FileFindings[]): string {
  const rules = Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
  const ruleIds = rules.map(({ id }) => id);
  const results = files.flatMap(({ file, findings }) =>
    findings.map((finding) => {
      const artifactLocation = { uri: encodeURI(file.replaceAll("\\", "/")) };
      const region = {
        startLine: finding.line,
        startColumn: finding.column,
        endLine: finding.endLine,
        endColumn: finding.endColumn,
      };
      return {
        ruleId: finding.rule,
        ruleIndex: ruleIds.indexOf(finding.rule),
        level: finding.level,
        message: { text: finding.message },
        locations: [{ physicalLocation: { artifactLocation, region } }],
        ...(finding.suggestion === undefined
          ? {}
          : {
              fixes: [
                {
                  description: { text: `Write "${finding.suggestion}".` },
                  artifactChanges: [
                    {
                      artifactLocation,
                      replacements: [{ deletedRegion: region, insertedContent: { text: finding.suggestion } }],
                    },
                  ],
                },
              ],
            }),
      };
    }),
  );
  const document = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "swath-schema", semanticVersion: SCHEMA_VERSION, rules } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
