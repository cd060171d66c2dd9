import * as z from "zod";

/** A restriction in the form of the STAC query extension: property to operators. */
export type AliasQuery = Readonly<Record<string, { readonly eq: string }>>;

/** Another id for a collection. */
export interface AliasSchema {
  readonly id: string;
  /** The service or program that uses this id. */
  readonly source: string;
  readonly group: string;
  /** Restriction that the alias implies, to be ANDed with a search. */
  readonly query?: AliasQuery | undefined;
}

/** Another name of a collection, and what it restricts. */
export const Alias = z
  .object({
    id: z
      .string()
      .min(1)
      .meta({ description: "Accepted wherever a collection id is; in a path only without a slash." }),
    source: z.string().meta({ description: "Who uses this id." }),
    group: z.string().optional().meta({ description: "Family of services that share the id." }),
    filter: z.string().optional().meta({ description: "CQL2 text filter that the alias implies." }),
  })
  .meta({ id: "Alias", description: "Another id for a collection." });
export type Alias = z.infer<typeof Alias>;

/** Ids that may stand in a path as `{collectionId}`. */
export const PATH_ID = /^[A-Za-z0-9_.-]+$/;

/** Writes an alias as it appears in `svc:aliases`. */
export function toAlias(alias: AliasSchema): Alias {
  return {
    id: alias.id,
    source: alias.source,
    group: alias.group,
    ...(alias.query === undefined ? {} : { filter: toFilterText(alias.query) }),
  };
}

/** CQL2 text of a query. Property names with a colon are quoted, and quotes in values doubled. */
function toFilterText(query: AliasQuery): string {
  return Object.entries(query)
    .map(([property, { eq }]) => {
      const name = /^[A-Za-z_]\w*$/.test(property) ? property : `"${property}"`;
      return `${name} = '${eq.replaceAll("'", "''")}'`;
    })
    .join(" AND ");
}
