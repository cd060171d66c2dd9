/** The rule that a finding is about. */
export type Rule =
  | "invalid-json"
  | "invalid-collection-file"
  | "unknown-document"
  | "missing-collection"
  | "unknown-collection"
  | "unknown-band"
  | "band-mismatch"
  | "scaling-mismatch"
  | "unknown-mask-class"
  | "unknown-unit"
  | "units-unavailable"
  | "unknown-harmonize-level"
  | "harmonize-unavailable"
  | "unknown-mask-source"
  | "unknown-pseudo-band"
  | "unknown-index"
  | "unknown-name";

/** One sentence on each rule, for reports that list them. */
export const RULES: Readonly<Record<Rule, string>> = {
  "invalid-json": "The file does not parse as JSON.",
  "invalid-collection-file": "A collection file fits its JSON Schema, and its names lead somewhere within it.",
  "unknown-document": "The file is neither a STAC document, nor a request, nor a list of names.",
  "missing-collection": "Bands can only be checked when the collection is known.",
  "unknown-collection": "Collections are named by a live id or one of its aliases.",
  "unknown-band": "Bands are named by native name, common name or alias.",
  "band-mismatch": "The names given for one band lead to different bands.",
  "scaling-mismatch": "Scale, offset or nodata differ from what the schema says for this scene.",
  "unknown-mask-class": "Mask classes are those of schema v1.",
  "unknown-unit": "Units are those of schema v1.",
  "units-unavailable": "The band or collection does not come in these units.",
  "unknown-harmonize-level": "Harmonization levels are those of schema v1.",
  "harmonize-unavailable": "The collection does not offer this harmonization level.",
  "unknown-mask-source": "Mask sources are those of schema v1.",
  "unknown-pseudo-band": "Pseudo bands are those of schema v1.",
  "unknown-index": "Indices are those of schema v1.",
  "unknown-name": "The name is no collection, band, mask class, unit, level or index of schema v1.",
};

/** One thing found in a file. Lines and columns count from 1; columns in UTF-16 units, the end exclusive. */
export interface Finding {
  readonly rule: Rule;
  /** `error`: the name does not resolve. `warning`: it resolves, but something beside it disagrees. */
  readonly level: "error" | "warning";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The text found, as it stands in the file without quotes. */
  readonly given?: string;
  /** The probably intended name, as replacement of `given`. */
  readonly suggestion?: string;
}

/** A stretch of the text. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Collects findings of one text and turns offsets into lines and columns. */
export class Report {
  readonly #lineStarts: number[] = [0];
  readonly #findings: Finding[] = [];

  constructor(text: string) {
    for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) this.#lineStarts.push(i + 1);
  }

  add(span: Span, rule: Rule, level: Finding["level"], message: string, given?: string, suggestion?: string): void {
    const start = this.#position(span.offset);
    const end = this.#position(span.offset + span.length);
    this.#findings.push({
      rule,
      level,
      message: suggestion === undefined ? message : `${message} Did you mean "${suggestion}"?`,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      ...(given === undefined ? {} : { given }),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  /** The findings in order of position. */
  findings(): Finding[] {
    return [...this.#findings].sort((a, b) => a.line - b.line || a.column - b.column);
  }

  #position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}
