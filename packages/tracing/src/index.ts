export {
  activeParent,
  type MeasuredSpan,
  type OpenSpan,
  type SpanFacts,
  type SpanOptions,
  type SpanReceiver,
  type SpanRole,
  spanReceiver,
  traced,
} from "./spans.ts";
export { tracedFetch } from "./traced-fetch.ts";
