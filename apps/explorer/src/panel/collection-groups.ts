import type { Collection } from "../api/types.ts";

const OTHERS = "Others";

/** The mission that a collection is named after: `Sentinel` of `sentinel-2-l2a`. */
function missionOf({ id }: Pick<Collection, "id">): string {
  const [first = ""] = id.split(/[-_.]/);
  return first.replace(/^\w/, (letter) => letter.toUpperCase());
}

/**
 * Collections whose id, title or description has all words of a text, by mission; missions of one collection are put
 * together at the end.
 *
 * @param shown - stays in the list whatever the text, since it is what the map shows
 */
export function collectionGroups(
  collections: readonly Collection[],
  text: string,
  shown: Collection,
): readonly (readonly [group: string, members: readonly Collection[]])[] {
  const words = text.toLowerCase().split(/\s+/);
  const groups = new Map<string, Collection[]>();
  for (const each of collections) {
    const said = `${each.id} ${each.title ?? ""} ${each.description ?? ""}`.toLowerCase();
    if (each.id !== shown.id && !words.every((word) => said.includes(word))) continue;
    const mission = missionOf(each);
    groups.set(mission, [...(groups.get(mission) ?? []), each]);
  }
  const several = [...groups].filter(([, members]) => members.length > 1);
  const alone = [...groups].filter(([, members]) => members.length === 1).flatMap(([, members]) => members);
  return alone.length === 0 ? several : [...several, [OTHERS, alone] as const];
}
