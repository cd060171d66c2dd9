/** A profile as V8 writes it by `--cpu-prof`; times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  /** The node in which each sample was taken. */
  readonly samples: readonly number[];
  /** Time from the sample before, the first from the start. */
  readonly timeDeltas: readonly number[];
}

/** Time spent in a function and in what it called. */
export interface Frame {
  readonly name: string;
  /** File and line, or nothing for what is not in a file. */
  readonly place: string;
  /** Milliseconds, callees included. */
  ms: number;
  readonly callees: Map<string, Frame>;
}

export const frame = (name: string, place = ""): Frame => ({ name, place, ms: 0, callees: new Map() });

/**
 * Adds the samples of a profile between two moments to a frame. Waiting is left out.
 *
 * @param moments microseconds on the clock of `process.hrtime`, which V8 uses too.
 */
export function addProfile(root: Frame, profile: CpuProfile, [from, to]: readonly [number, number]): void {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stacks = new Map<number, readonly Frame[]>();
  const stackOf = (id: number): readonly Frame[] => {
    const known = stacks.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    // V8's own root has no parent
    const above = parent === undefined ? [root] : stackOf(parent);
    const { functionName, url, lineNumber } = nodes.get(id)!.callFrame;
    const stack = parent === undefined ? above : [...above, calleeOf(above.at(-1)!, functionName, url, lineNumber)];
    stacks.set(id, stack);
    return stack;
  };
  let time = profile.startTime;
  for (const [i, id] of profile.samples.entries()) {
    const took = profile.timeDeltas[i]!;
    time += took;
    if (time < from || time > to || nodes.get(id)!.callFrame.functionName === "(idle)") continue;
    for (const each of stackOf(id)) each.ms += took / 1000;
  }
}

function calleeOf({ callees }: Frame, functionName: string, url: string, line: number): Frame {
  const name = functionName || "(anonymous)";
  const file = url.startsWith("node:") ? url : url.replace(/^.*\//, "");
  const place = file === "" ? "" : `${file}:${line + 1}`;
  const key = `${name} ${place}`;
  const known = callees.get(key) ?? frame(name, place);
  callees.set(key, known);
  return known;
}

const WIDTH = 1200;
const ROW = 17;
/** Pixels that a letter takes at most. */
const LETTER = 6.6;
/** Frames narrower than this are not drawn. */
const LEAST = 0.8;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A color by name, so that a function has the same one in every graph. */
function colorOf({ name, place }: Frame): string {
  if (name.startsWith("(")) return "#bcc4cc";
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 997;
  // Node's own functions are blue, all others orange
  return place.startsWith("node:") || place === ""
    ? `hsl(${195 + (hash % 25)} 55% 78%)`
    : `hsl(${20 + (hash % 35)} 85% 72%)`;
}

/** Roots beside one another, callees below their callers, as wide as their time; the name and time of each when it is pointed at. */
export function flameGraph(title: string, roots: readonly Frame[]): string {
  const total = roots.reduce((sum, { ms }) => sum + ms, 0);
  const drawn: string[] = [];
  let depth = 0;
  const draw = (one: Frame, x: number, level: number): void => {
    const width = (one.ms / total) * WIDTH;
    if (width < LEAST) return;
    depth = Math.max(depth, level);
    const [y, letters] = [24 + level * ROW, Math.floor((width - 4) / LETTER)];
    const share = `${one.ms.toFixed(1)} ms, ${((100 * one.ms) / total).toFixed(1)} %`;
    const name = escaped(`${one.name}${one.place === "" ? "" : ` (${one.place})`}: ${share}`);
    const label =
      letters < 4 ? "" : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(one.name.slice(0, letters))}</text>`;
    drawn.push(
      `<g><title>${name}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(one)}"/>${label}</g>`,
    );
    let right = x;
    for (const callee of [...one.callees.values()].sort((a, b) => b.ms - a.ms)) {
      draw(callee, right, level + 1);
      right += (callee.ms / total) * WIDTH;
    }
  };
  let right = 0;
  for (const root of roots) {
    draw(root, right, 0);
    right += (root.ms / total) * WIDTH;
  }
  const height = 24 + (depth + 1) * ROW + 4;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="2" y="15" font-size="13">${escaped(title)}: ${total.toFixed(0)} ms in which threads did not wait</text>
${drawn.join("\n")}
</svg>
`;
}

/** Functions by the time they took themselves, callees not included, the longest first. */
export function ownTimes(roots: readonly Frame[]): readonly { readonly name: string; readonly ms: number }[] {
  const times = new Map<string, number>();
  const visit = ({ name, place, ms, callees }: Frame): void => {
    let own = ms;
    for (const callee of callees.values()) {
      own -= callee.ms;
      visit(callee);
    }
    const key = place === "" ? name : `${name} (${place})`;
    times.set(key, (times.get(key) ?? 0) + own);
  };
  for (const root of roots) for (const callee of root.callees.values()) visit(callee);
  return [...times].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
