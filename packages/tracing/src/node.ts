export { addPart, measured } from "./measuring.ts";
export { startTracing, type Tracing, TracingError, type TracingOptions } from "./start-tracing.ts";
