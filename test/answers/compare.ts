import type { Answer, Answers } from "./record.ts";

/** A difference between two answers to one request. */
export interface Difference {
  readonly name: string;
  /**
   * `answer`: status, headers, bytes or a document; `wording`: of a problem alone; `etag`: the validator alone, which
   * means nothing to a client but costs it its cache; `missing`: only one of the records has the request.
   */
  readonly kind: "answer" | "wording" | "etag" | "missing";
  /** A line for each part that differs. */
  readonly parts: readonly string[];
}

/** Members of problems, in the forms of each of the interfaces, that are sentences for people. */
const SENTENCES = new Set(["detail", "message", "msg", "error_description"]);
const MAX_PARTS = 8;

/** Every request whose answers differ, in the order of the first record. */
export function compare(before: Answers, after: Answers): readonly Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [a, b] = [before[name], after[name]];
    if (a === undefined || b === undefined) {
      return [{ name, kind: "missing", parts: [a === undefined ? "only in the second" : "only in the first"] }];
    }
    const difference = differenceOf(a, b);
    return difference === undefined ? [] : [{ name, ...difference }];
  });
}

function differenceOf(a: Answer, b: Answer): Omit<Difference, "name"> | undefined {
  const { ETag: etagBefore, ...headersBefore } = a.headers;
  const { ETag: etagAfter, ...headersAfter } = b.headers;
  const bodies = a.sha256 === b.sha256 ? [] : bodyParts(a, b);
  const parts = [
    ...partsOf(a.status, b.status, "status"),
    ...partsOf(headersBefore, headersAfter, "headers"),
    ...bodies.map(({ text }) => text),
  ].slice(0, MAX_PARTS);
  if (parts.length > 0) {
    const isWording = a.status >= 400 && parts.length === bodies.length && bodies.every(({ isSentence }) => isSentence);
    return { kind: isWording ? "wording" : "answer", parts };
  }
  return etagBefore === etagAfter ? undefined : { kind: "etag", parts: [`${etagBefore} -> ${etagAfter}`] };
}

interface Part {
  readonly text: string;
  readonly isSentence: boolean;
}

function bodyParts(a: Answer, b: Answer): readonly Part[] {
  if (a.body === undefined || b.body === undefined) {
    return [
      {
        text: `bytes: ${a.bytes} (${a.sha256.slice(0, 8)}) -> ${b.bytes} (${b.sha256.slice(0, 8)})`,
        isSentence: false,
      },
    ];
  }
  const parts = documentParts(a.body, b.body, "body");
  // equal values in another order of members are another text
  return parts.length > 0 ? parts : [{ text: "body: members in another order", isSentence: false }];
}

function partsOf(a: unknown, b: unknown, path: string): string[] {
  return documentParts(a, b, path).map(({ text }) => text);
}

/** Returns the places where two documents differ. */
function documentParts(a: unknown, b: unknown, path: string): readonly Part[] {
  if (Object.is(a, b)) return [];
  if (isRecord(a) && isRecord(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].flatMap((name) => documentParts(a[name], b[name], `${path}/${name}`));
  }
  const member = path.slice(path.lastIndexOf("/") + 1);
  const isSentence = SENTENCES.has(member) && typeof a === "string" && typeof b === "string";
  return [{ text: `${path}: ${shown(a)} -> ${shown(b)}`, isSentence }];
}

/** Arrays count as records by index. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
