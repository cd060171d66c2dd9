/** A node of Well-Known Text 1: `KEYWORD["name", …]`. */
export interface WktNode {
  readonly keyword: string;
  readonly values: readonly (string | number)[];
  readonly nodes: readonly WktNode[];
}

const MAX_TEXT = 20_000;
const MAX_DEPTH = 12;
const TOKEN =
  /\s*(?:([A-Za-z_]\w*)\s*[[(]|"((?:[^"]|"")*)"|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|([,\])]))/y;

/** Reads Well-Known Text of a CRS (OGC 01-009 section 7, and Esri's variant); `undefined` where it is none. */
export function parseWkt(text: string): WktNode | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const open: { keyword: string; values: (string | number)[]; nodes: WktNode[] }[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [, keyword, quoted, number, word, mark] = match;
    const top = open.at(-1);
    if (keyword !== undefined) {
      if (open.length >= MAX_DEPTH || (top === undefined && match.index > 0)) return undefined;
      open.push({ keyword: keyword.toUpperCase(), values: [], nodes: [] });
    } else if (top === undefined) return undefined;
    else if (quoted !== undefined) top.values.push(quoted.replaceAll('""', '"'));
    else if (number !== undefined) top.values.push(Number(number));
    else if (word !== undefined) top.values.push(word);
    else if (mark !== ",") {
      open.pop();
      const parent = open.at(-1);
      if (parent === undefined) return top;
      parent.nodes.push(top);
    }
  }
  return undefined;
}

/** The first node of a keyword, directly inside another. */
export function childOf(node: WktNode | undefined, keyword: string): WktNode | undefined {
  return node?.nodes.find((child) => child.keyword === keyword);
}
