/**
 * Writes `indices.json` from a checkout of Awesome Spectral Indices: the indices of reflectance whose bands the collections have.
 * The list is by David Montero Loaiza and contributors, MIT licence; Montero et al. 2023, doi:10.1038/s41597-023-02096-0.
 *
 * The list has no ranges. A range is the 2nd to the 98th percentile of the index over the land covers of the sandbox, each in 51
 * mixtures of its two end members, rounded outwards to two digits of its width.
 *
 * @example node --conditions=@swath/source scripts/indices.ts path/to/awesome-spectral-indices
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluateExpression, parseExpression } from "../../raster/src/index.ts";
import { COVER_COUNT, MIX_STEPS, REFLECTANCE_BANDS, spectralTable } from "../../sandbox/src/country/spectra.ts";
import { commonIndices } from "../src/preset/common-indices.ts";
import type { IndexSchema } from "../src/preset/index-schema.ts";

interface Listed {
  /** The key of the list, which is an alias here; `acronym` is not always unique. */
  readonly short: string;
  readonly name: string;
  readonly bands: readonly string[];
  readonly formula: string;
  readonly constants: Readonly<Record<string, { readonly default_value?: number }>>;
  readonly external_variables: object;
  readonly reductions: object;
  readonly classification: { readonly application_domain: IndexSchema["domain"] };
  readonly source: {
    readonly source_link: string;
    readonly source_metadata?: { readonly authors?: readonly string[]; readonly year?: number };
  };
}

const COMMON_NAMES: Readonly<Record<string, string>> = {
  A: "coastal",
  B: "blue",
  G: "green",
  R: "red",
  RE1: "rededge071",
  RE2: "rededge075",
  RE3: "rededge078",
  N: "nir",
  N2: "nir08",
  S1: "swir16",
  S2: "swir22",
};
/** Names of the sandbox where they are not the common names. */
const SANDBOX_NAMES: Readonly<Record<string, string>> = {
  rededge1: "rededge071",
  rededge2: "rededge075",
  rededge3: "rededge078",
};
const FUNCTIONS = ["max", "min", "sqrt", "log", "exp", "abs"];

const [folder = ""] = process.argv.slice(2);
const output = join(folder, "output");
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(output, ...path), "utf8"));
const { SpectralIndices: dictionary } = read("v1", "spectral-indices-dict.json") as {
  SpectralIndices: Record<string, Omit<Listed, "short">>;
};
const list: readonly Listed[] = Object.entries(dictionary).map(([short, index]) => ({ short, ...index }));
const constants = read("constants.json") as Record<string, { readonly default: number | null }>;

/** The value of a constant: by the index itself, else by the list; undefined for one without a default. */
function constantOf(index: Listed, name: string): number | undefined {
  return index.constants[name]?.default_value ?? constants[name]?.default ?? undefined;
}

/** The formula as an expression; undefined where it needs what the collections or expressions do not have. */
function expressionOf(index: Listed): string | undefined {
  if (Object.keys({ ...index.external_variables, ...index.reductions }).length > 0) return undefined;
  let isKnown = true;
  const tokens = withoutTanh(index.formula).match(/\d+\.?\d*(?:e[+-]?\d+)?|[A-Za-z]\w*|\*\*|[-+*/(),]/gi) ?? [];
  const named = tokens.map((token) => {
    if (/^\d/.test(token)) return String(Number(token));
    if (!/^[A-Za-z]/.test(token) || FUNCTIONS.includes(token)) return token;
    const name = COMMON_NAMES[token] ?? constantOf(index, token);
    if (name === undefined) isKnown = false;
    return String(name);
  });
  return isKnown ? spaced(named) : undefined;
}

/** Writes tanh(x), which expressions lack, as 1 - 2 / (exp(2x) + 1). Its argument has no bracket but those of `max`. */
function withoutTanh(formula: string): string {
  return formula.replace(/tanh\(((?:[^()]|\([^()]*\))*)\)/g, "(1 - 2 / (exp(2 * ($1)) + 1))");
}

/** Joins tokens, with spaces around operators of two operands and after commas. */
function spaced(tokens: readonly string[]): string {
  return tokens.reduce((text, token, i) => {
    const before = tokens[i - 1];
    const isBinary = /^[-+*/]/.test(token) && before !== undefined && !/^[-+*/(,]/.test(before);
    if (isBinary) return `${text} ${token} `;
    return token === "," ? `${text}, ` : `${text}${token}`;
  }, "");
}

function bandsOf(expression: string): readonly string[] {
  const names = expression.match(/\b[a-z]\w*\b/g) ?? [];
  return [...new Set(names.filter((name) => !FUNCTIONS.includes(name)))];
}

const spectra = new Map(
  REFLECTANCE_BANDS.map((name, band) => {
    const table = spectralTable(band);
    const values = Array.from({ length: COVER_COUNT }, (_, cover) =>
      table.subarray(cover * 256, cover * 256 + MIX_STEPS + 1),
    ).flatMap((part) => [...part]);
    return [SANDBOX_NAMES[name] ?? name, Float64Array.from(values)];
  }),
);

/** @throws {Error} where the index has no values, or one alone. */
function rangeOf(id: string, expression: string, bands: readonly string[]): readonly [number, number] {
  const samples = bands.map((name) => spectra.get(name) ?? new Float64Array());
  const valid = new Uint8Array(samples[0]?.length ?? 0).fill(1);
  const { values } = evaluateExpression(
    parseExpression(expression, bands),
    samples,
    valid,
    new Float64Array(valid.length),
  );
  const sorted = values.filter(Number.isFinite).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  const [low, high] = [at(0.02), at(0.98)];
  if (!(high > low)) throw new Error(`${id} has the values ${low} to ${high}.`);
  const digits = 1 - Math.floor(Math.log10(high - low));
  const shift = 10 ** digits;
  const rounded = (value: number): number => Number(value.toFixed(Math.max(digits, 0)));
  return [rounded(Math.floor(low * shift) / shift), rounded(Math.ceil(high * shift) / shift)];
}

/** Authors, year and DOI or address, as `Huete 1988, doi:10.1016/0034-4257(88)90106-X`. */
function sourceOf({ source: { source_link: link, source_metadata: { authors = [], year } = {} } }: Listed): string {
  const names = authors.map((author) => {
    const name = author.replace(/†|jr$/gi, "").trim().split(/\s+/).at(-1) ?? "";
    return /^\p{Lu}+$/u.test(name) ? name.charAt(0) + name.slice(1).toLowerCase() : name;
  });
  const who = names.length > 2 ? `${names[0]} et al.` : names.join(" and ");
  const where = decodeURIComponent(link).replace(/^https?:\/\/(?:dx\.)?doi\.org\//, "doi:");
  return [[who, year].filter((part) => part !== undefined && part !== "").join(" "), where]
    .filter((part) => part !== "")
    .join(", ");
}

/** Ids by keys: in lower case, where several are the same with what they are about, where that is too with their year. */
function idsOf(indices: readonly Listed[]): ReadonlyMap<string, string> {
  const forms = [
    ({ short }: Listed) => short.toLowerCase(),
    (index: Listed) => `${index.short.toLowerCase()}-${index.classification.application_domain}`,
    (index: Listed) => `${index.short.toLowerCase()}-${index.source.source_metadata?.year}`,
  ];
  return new Map(
    indices.map((index) => {
      const form = forms.find((id) => indices.filter((other) => id(other) === id(index)).length === 1);
      const id = form?.(index) ?? "";
      if (!/^[a-z0-9-]+$/.test(id)) throw new Error(`${index.short} has no id of its own.`);
      return [index.short, id];
    }),
  );
}

const known = list.filter((index) => expressionOf(index) !== undefined);
const ids = idsOf(known);
const aliases = new Set(commonIndices.flatMap((index): readonly string[] => index.aliases));
const entries = known
  .filter(({ short }) => !aliases.has(short))
  .map((index): IndexSchema => {
    const id = ids.get(index.short) ?? "";
    const expression = expressionOf(index) ?? "";
    const bands = bandsOf(expression);
    return {
      id,
      title: index.name,
      domain: index.classification.application_domain,
      aliases: id === index.short ? [] : [index.short],
      bands,
      expression,
      range: rangeOf(id, expression, bands),
      source: sourceOf(index),
    };
  });
writeFileSync(join(import.meta.dirname, "..", "indices.json"), `${JSON.stringify(entries, null, 2)}\n`);
console.log(`${list.length} indices, ${known.length} taken, ${entries.length} written.`);
