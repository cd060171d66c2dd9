/** A request whose answer is recorded. */
export interface Asked {
  /** Tells it from all others: answers of two records are compared by it. */
  readonly name: string;
  /** Path and query of the service. */
  readonly path: string;
  /** Default: GET, and POST where there is a body. */
  readonly method?: string;
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller; default: the owner's key. */
  readonly as?: "nobody";
  /** The service that is asked; default: that of the full profile. */
  readonly profile?: "lean";
}

type More = Omit<Asked, "name" | "path" | "body">;

/** A GET whose name is its path. */
export const get = (path: string, more: More = {}): Asked => ({
  name: `${more.profile === "lean" ? "lean " : ""}${more.as === "nobody" ? "nobody: " : ""}${more.method ?? "GET"} ${path}`,
  path,
  ...more,
});

/** A POST; its name says what is special of its body. */
export const post = (path: string, name: string, body: unknown, more: More = {}): Asked => ({
  name: `${more.profile === "lean" ? "lean " : ""}${more.method ?? "POST"} ${path}: ${name}`,
  path,
  body,
  ...more,
});

/** A query with encoded values. */
export const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
