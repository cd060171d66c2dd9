import { PUBLIC_URL, STARTED } from "./service.ts";

const HOUR_MS = 3_600_000;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Paging tokens and links to results are signed with a secret of each data folder. */
const SIGNED_LINK = /\/v1\/results\/[^/"?]+\/([^"?\s]+)\?[^"\s]*/g;
const TOKEN = /([?&]token=)[^"&\s]+/g;
/** Members whose values differ each time: ids of requests and jobs, secrets, and how long something took. */
const MEMBERS: Readonly<Record<string, string>> = {
  requestId: "<request>",
  jobId: "<job>",
  token: "<token>",
  seconds: "<seconds>",
  uptime: "<seconds>",
};

/** Replaces the parts of a text that differ at each start of a service. */
export class Normalizer {
  readonly #names = new Map<string, string>();

  /** Replaces an id, such as a job's, by a name wherever it comes. */
  name(id: string, kind: string): void {
    if (id !== "" && !this.#names.has(id)) this.#names.set(id, `<${kind} ${this.#names.size + 1}>`);
  }

  text(text: string): string {
    let result = text;
    for (const [id, name] of this.#names) result = result.replaceAll(id, name);
    return result
      .replace(SIGNED_LINK, "/v1/results/<result>/$1?<signed>")
      .replace(TOKEN, "$1<token>")
      .replace(TIME, (time) => {
        // the archive ends before the service starts: what is later is told from the clock
        const hours = Math.floor((Date.parse(time) - STARTED.getTime()) / HOUR_MS);
        return hours < 0 ? time : `<now + ${hours} h>`;
      });
  }

  /** A JSON document with its members in the order in which they came. */
  json(value: unknown, member?: string): unknown {
    if (typeof value === "string") return MEMBERS[member ?? ""] ?? this.text(value);
    if (typeof value === "number") return MEMBERS[member ?? ""] ?? value;
    if (Array.isArray(value)) return value.map((each) => this.json(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.json(each, name)]));
  }
}

/** The path and query of an address of the service; undefined for others. */
export function ownPath(href: unknown): string | undefined {
  return typeof href === "string" && href.startsWith(`${PUBLIC_URL}/`) ? href.slice(PUBLIC_URL.length) : undefined;
}
