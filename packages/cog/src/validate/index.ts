export type { LayoutOptions } from "./cog-layout.ts";
export type { CogFinding, CogRule, CogRuleId } from "./cog-rules.ts";
export { validateCog } from "./validate-cog.ts";
