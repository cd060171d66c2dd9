import { ApiError, type Problem } from "./api-error.ts";
import { h } from "./dom.ts";

/** Turns whatever was thrown into a problem document. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { title: "Something failed in this page", detail: error instanceof Error ? error.message : String(error) };
}

const words = (name: string): string => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

/** A problem document as it came: title, code, detail, each fault with its pointer, limits, and the request id to quote. */
export function problemCard(problem: Problem): HTMLElement {
  const { title, detail, code, status, errors = [], limits, retryAfter, requestId, type } = problem;
  const faults = errors.filter((error) => errors.length > 1 || error.detail !== detail);
  return h(
    "div",
    { class: "problem", role: "alert" },
    h(
      "p",
      { class: "problem-title" },
      title,
      code !== undefined && h("code", {}, code),
      status !== undefined && ` ${status}`,
    ),
    detail !== undefined && h("p", {}, detail),
    faults.length > 0 &&
      h(
        "ul",
        {},
        faults.map((error) => h("li", {}, h("code", {}, error.pointer), " ", error.detail)),
      ),
    limits !== undefined &&
      h(
        "dl",
        { class: "facts" },
        Object.entries(limits).map(([name, value]) => [
          h("dt", {}, words(name)),
          h("dd", {}, value.toLocaleString("en")),
        ]),
      ),
    retryAfter !== undefined && h("p", {}, `Try again in ${retryAfter} s.`),
    (requestId !== undefined || type !== undefined) &&
      h(
        "p",
        { class: "quiet" },
        requestId !== undefined && ["Request ", h("code", {}, requestId), " "],
        type !== undefined &&
          /^https?:/.test(type) &&
          h("a", { href: type, target: "_blank", rel: "noopener" }, "About this problem"),
      ),
  );
}
