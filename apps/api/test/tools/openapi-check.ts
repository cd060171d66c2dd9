import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { PROBLEM_MEDIA_TYPE } from "@swath/problem";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

interface MediaType {
  readonly schema?: unknown;
}
interface Described {
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}
export interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Described>>;
  readonly [member: string]: unknown;
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** Headers that a client acts on: the document names them where they are sent. */
const TOLD_HEADERS = [
  "ETag",
  "Location",
  "Content-Location",
  "Retry-After",
  "WWW-Authenticate",
  "Content-Disposition",
  "X-Request-Id",
  "X-Attribution",
  "X-Scenes-Used",
  "X-Scenes-Truncated",
  "X-Scenes-Skipped",
];

interface Entry {
  readonly expression: RegExp;
  readonly template: string;
  readonly operations: Readonly<Record<string, DescribedOperation>>;
}

/** Path templates with the most literal text first, so that `/items/{itemId}` does not take what is another's. */
function entriesOf(description: Description): Entry[] {
  const literal = (template: string): number => template.replace(/\{\w+\}/g, "").length;
  return Object.entries(description.paths)
    .sort(([a], [b]) => b.split("/").length - a.split("/").length || literal(b) - literal(a))
    .map(([template, operations]) => {
      const pattern = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
      return { expression: new RegExp(`^${pattern}/?$`), template, operations };
    });
}

/** Holds answers of a service against its OpenAPI document. */
export class OpenApiCheck {
  readonly #entries: readonly Entry[];
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv: Ajv2020;
  readonly #problem: ValidateFunction;

  constructor(description: Description) {
    this.#entries = entriesOf(description);
    // what ajv does not know of OpenAPI 3.1 are annotations: `discriminator`, `xml`, `example`
    // each schema checks a few answers: code is not made smaller, and not repeated where a schema refers to another
    const code = { inlineRefs: false, code: { optimize: false } } as const;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, ...code });
    formats.default(this.#ajv, ["uri", "date-time", "date"]);
    this.#ajv.addSchema({ $id: "openapi:/document", components: description.components });
    this.#problem = this.#ajv.compile({ $ref: "openapi:/document#/components/schemas/Problem" });
  }

  /** The operation that a request is, if the document has its path. */
  operation(method: string, path: string): { readonly operation?: DescribedOperation; readonly template?: string } {
    const entry = this.#entries.find(({ expression }) => expression.test(path));
    if (entry === undefined) return {};
    const operation = entry.operations[method === "HEAD" ? "get" : method.toLowerCase()];
    return { template: entry.template, ...(operation === undefined ? {} : { operation }) };
  }

  /** Returns the faults of an answer; it is read from a copy. An empty list: all is as described. */
  async faults(method: string, path: string, response: Response): Promise<string[]> {
    const { operation, template } = this.operation(method, path);
    const type = response.headers.get("Content-Type");
    const hasOwnForm = operation?.responses?.[String(response.status)]?.content?.[type ?? ""] !== undefined;
    if (response.status >= 400 && !(hasOwnForm && type !== PROBLEM_MEDIA_TYPE)) {
      if (type !== PROBLEM_MEDIA_TYPE) return [`error of type ${type}`];
      if (method !== "HEAD" && !this.#problem(await jsonOf(response)))
        return [`problem: ${this.#ajv.errorsText(this.#problem.errors)}`];
    }
    // pages and files beside the API, unknown addresses, wrong methods and preflights are no operations
    if (operation === undefined || template === undefined) return [];
    const described = operation.responses[String(response.status)];
    if (described === undefined) return [`${operation.operationId} does not describe status ${response.status}`];
    const untold = TOLD_HEADERS.filter((name) => response.headers.has(name) && !(name in (described.headers ?? {})));
    if (untold.length > 0)
      return [`${operation.operationId} ${response.status} does not describe ${untold.join(", ")}`];
    if (response.body === null && method !== "HEAD")
      return described.content === undefined ? [] : ["an empty body where the document has one"];
    const media = described.content?.[type ?? ""];
    if (media === undefined) return [`${operation.operationId} ${response.status} does not describe ${type}`];
    if (method === "HEAD" || !/json/.test(type ?? "")) return [];
    const validate = this.#validator(`${operation.operationId} ${response.status} ${type}`, media.schema);
    return validate(await jsonOf(response)) ? [] : [this.#ajv.errorsText(validate.errors)];
  }

  #validator(key: string, schema: unknown): ValidateFunction {
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      validate = this.#ajv.compile(absolute(schema) as object);
      this.#validators.set(key, validate);
    }
    return validate;
  }
}

/** The JSON of a copy of an answer, compressed or not. */
async function jsonOf(response: Response): Promise<unknown> {
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const encoding = response.headers.get("Content-Encoding");
  const text = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString());
}

/** A schema whose references start at the whole document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "$ref" && typeof member === "string" && member.startsWith("#")
        ? `openapi:/document${member}`
        : absolute(member),
    ]),
  );
}
