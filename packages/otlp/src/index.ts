export type { TracingOptions } from "./open-telemetry.ts";
export { TracingError } from "./sending.ts";
export { startTracing, type Tracing } from "./start-tracing.ts";
