// names of the web platform that types mention
export type {} from "@swath/http";
export type { LayoutOptions } from "./cog-layout.ts";
export type { CogFinding, CogRule, CogRuleId } from "./cog-rules.ts";
export { validateCog } from "./validate-cog.ts";
