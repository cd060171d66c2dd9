/** OpenAPI metadata that stands for a schema of the document's components. */
export function refTo(name: string, description: string): { readonly $ref: string; readonly description: string } {
  return { $ref: `#/components/schemas/${name}`, description };
}
