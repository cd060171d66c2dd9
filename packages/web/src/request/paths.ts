import { RequestProblem } from "../problems.ts";

/** A path template made ready for routing. */
export interface CompiledPath {
  /** Pattern for the router; mixed segments such as `{y}.{format}` are one parameter there. */
  readonly pattern: string;
  /**
   * Decoded values of the template's names.
   *
   * @param shown the path as messages show it
   * @throws {RequestProblem} `not-found` where the path lacks a part of the template, such as the ending of a file.
   */
  read(path: string, shown?: string): Record<string, string>;
}

/** One path of the service. */
export interface PathFacts<F> {
  readonly template: string;
  readonly methods: readonly string[];
  /** Facts that the service keeps with the path, such as its callers. */
  readonly facts: F;
}

interface Entry<F> extends PathFacts<F> {
  readonly expression: RegExp;
}

/** Method of a route, as OpenAPI writes it. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The methods a route answers: HEAD goes with GET, OPTIONS with all. */
export function methodsOf(method: Method): readonly string[] {
  return method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()];
}

/** `{name}`, or `{name*}` for the rest of the path. */
const NAME = /\{(\w+\*?)\}/g;
const escapeExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray "%" stands for itself and matches no id
  }
}

/** All paths of the service with their methods, by which an unknown path (404) differs from a wrong method (405). */
export class PathTable<F = undefined> {
  readonly #entries: Entry<F>[] = [];
  readonly #fallback: F;

  /** @param fallback the facts of paths that are added without their own */
  constructor(fallback?: F) {
    this.#fallback = fallback as F;
  }

  /** Adds a template such as `/v1/tiles/{z}/{x}/{y}.{format}`. */
  add(template: string, methods: readonly string[], facts: F = this.#fallback): CompiledPath {
    const names: string[] = [];
    const segments = template.split("/").map((segment) => {
      const parts = segment.split(NAME);
      // odd parts are names; in a mixed segment the last name is without dots, so that "1.2.png" is "1.2" and "png"
      return parts
        .map((part, i) => {
          if (i % 2 === 0) return escapeExpression(part);
          names.push(part.replace("*", ""));
          if (part.endsWith("*")) return "(.+)";
          return parts.length > 3 && i === parts.length - 2 ? "([^/.]+)" : "([^/]+)";
        })
        .join("");
    });
    const expression = new RegExp(`^${segments.join("/")}/?$`);
    this.#entries.push({ expression, template, methods, facts });
    const pattern = template
      .split("/")
      .map((segment, i) => {
        if (/^\{\w+\*\}$/.test(segment)) return "*";
        if (/^\{\w+\}$/.test(segment)) return `:${segment.slice(1, -1)}`;
        return segment.includes("{") ? `:segment${i}` : segment;
      })
      .join("/");
    return {
      pattern,
      read: (path, shown = path) => {
        const match = expression.exec(path);
        if (match === null) throw new RequestProblem("not-found", `Nothing is served at ${shown}.`);
        return Object.fromEntries(names.map((name, i) => [name, decode(match[i + 1] ?? "")]));
      },
    };
  }

  /** All paths, in the order in which they were added. */
  list(): readonly PathFacts<F>[] {
    return this.#entries.map(({ template, methods, facts }) => ({ template, methods, facts }));
  }

  /** Methods that `path` takes, with OPTIONS; empty where no route has the path. */
  methods(path: string): readonly string[] {
    const found = new Set<string>();
    for (const { expression, methods } of this.#entries) {
      if (expression.test(path)) for (const method of methods) found.add(method);
    }
    return found.size === 0 ? [] : [...found, "OPTIONS"];
  }
}
