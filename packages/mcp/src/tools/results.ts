import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Problem } from "@swath/problem";
import type { ToolAnswer } from "./tool.ts";

/** The version that knows no links among the contents of a result. */
const WITHOUT_LINKS = "2025-03-26";

/** The result of a call that ended well, for a client of this version of the protocol. */
export function goodResult({ structured, text, content = [], meta }: ToolAnswer, protocol: string): CallToolResult {
  const blocks = content.map((block): ContentBlock => {
    if (block.type !== "resource_link" || protocol !== WITHOUT_LINKS) return block;
    return { type: "text", text: `${block.title ?? block.name}: ${block.uri}` };
  });
  return { content: [{ type: "text", text }, ...blocks], structuredContent: { ...structured }, ...metaOf(meta) };
}

/** The result of a call that failed: a model reads what is wrong, and calls again. */
export function failedResult(problem: Problem, meta: ToolAnswer["meta"]): CallToolResult {
  const { title, detail, retryAfter } = problem;
  const wait =
    retryAfter === undefined ? "" : ` Try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`;
  return {
    content: [{ type: "text", text: `${title}: ${detail ?? ""}${wait}` }],
    structuredContent: { ...problem },
    isError: true,
    ...metaOf(meta),
  };
}

const metaOf = (meta: ToolAnswer["meta"]): Pick<CallToolResult, "_meta"> =>
  meta === undefined ? {} : { _meta: { ...meta } };
