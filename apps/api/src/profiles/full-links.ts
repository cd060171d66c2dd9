import type { ProfileLinks } from "../documents/profile-links.ts";
import { QUERYABLES_REL, SCHEMA_JSON } from "../documents/queryables.ts";

/** Links of the full contract to what lean v1 does not serve. */
export const FULL_LINKS: ProfileLinks = {
  landing: (v1) => [
    { rel: QUERYABLES_REL, type: SCHEMA_JSON, href: `${v1}/queryables`, title: "Queryables of all collections" },
  ],
  collection: ({ id, title }, v1) => [
    {
      rel: QUERYABLES_REL,
      type: SCHEMA_JSON,
      href: `${v1}/collections/${id}/queryables`,
      title: `Queryables of ${title}`,
    },
  ],
};
