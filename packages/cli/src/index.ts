export type { Context } from "./context.ts";
export { EXIT, type Exit } from "./failure.ts";
export { main } from "./main.ts";
export type { ScenesOptions } from "./open-scenes.ts";
