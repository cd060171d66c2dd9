export { EXIT, type Exit } from "./failure.ts";
export { type Context, main, type Terminal } from "./main.ts";
export type { EngineOptions, OpenedEngine } from "./open-engine.ts";
