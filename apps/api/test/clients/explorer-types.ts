import openapiTS, { astToString } from "openapi-typescript";

interface Description {
  readonly openapi: string;
  readonly info: unknown;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Schemas of the service's description that the page reads or sends; those that they refer to come along. */
const SCHEMAS = [
  "CollectionList",
  "Item",
  "ItemPage",
  "LandingPage",
  "Legend",
  "PresetList",
  "Problem",
  "ProcessJob",
  "ProcessRequest",
  "SchemaV1",
  "SearchBody",
  "Statistics",
  "StatisticsRequest",
  "Timeseries",
  "TimeseriesRequest",
];

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** Types of {@link SCHEMAS}, as TypeScript, made from the service's OpenAPI document. */
export async function apiTypes(description: Description): Promise<string> {
  const all = description.components.schemas;
  const wanted = new Set<string>();
  const open = [...SCHEMAS];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    if (all[name] === undefined) throw new Error(`The service's OpenAPI document has no schema ${name}.`);
    wanted.add(name);
    for (const [, other] of JSON.stringify(all[name]).matchAll(REFERENCE)) open.push(other as string);
  }
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name)));
  const { openapi, info } = description;
  const tree = await openapiTS(JSON.stringify({ openapi, info, paths: {}, components: { schemas } }), {
    defaultNonNullable: false,
  });
  const head =
    "// Made from the service's OpenAPI document: npx vitest run apps/api/test/clients/explorer-types.test.ts -u\n\n";
  return head + astToString(tree);
}
