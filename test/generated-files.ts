import { checkGenerated, generatedJson, generatedModules } from "../packages/schema/scripts/generated-files.ts";

/** Ends a run of tests whose generated files are old: dozens would fail, and none would say why. */
export default async function setup(): Promise<void> {
  checkGenerated(generatedModules());
  checkGenerated(await generatedJson());
}
