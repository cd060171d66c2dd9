import type { BitFlagsMask, MaskFile } from "../file/mask-file.ts";
import { MASK_CLASSES, type MaskClass } from "../vocabulary.ts";

/** The settings that decide what a stored value means. */
export interface MaskSettings {
  /** The class that class 7 of an SCL band counts as. Default `unclassified`. */
  readonly scl7?: "unclassified" | "cloud" | "clear" | undefined;
  /** Least cloud confidence that counts as cloud. Default `medium`. */
  readonly cloudConfidence?: "low" | "medium" | "high" | undefined;
}

const CONFIDENCE = { low: 1, medium: 2, high: 3 } as const;

/**
 * Classes in the order in which they win a pixel when several apply: the one that hides the ground most comes first.
 */
const PRECEDENCE: readonly MaskClass[] = [
  "nodata",
  "saturated_defective",
  "cloud",
  "cloud_shadow",
  "cirrus",
  "cloud_adjacent",
  "snow_ice",
  "water",
  "dark_terrain_shadow",
  "clear",
  "unclassified",
];

/**
 * Every class that a stored value stands for. A class table gives one; bit flags give one for each bit that is set, so a
 * pixel can be water and cloud_adjacent at once. A value that says nothing is `unclassified`; it is `nodata` where the
 * source has that class and one for what is clear, and none for what is unclassified. Fill is `nodata` and nothing else.
 * All classes are among `detectableClasses`.
 */
export function classesOfValue(mask: MaskFile, value: number, settings: MaskSettings = {}): MaskClass[] {
  switch (mask.kind) {
    case "class-table": {
      const moved = mask.movable?.find((each) => each.value === value);
      return [(moved && settings[moved.setting]) ?? mask.classes[value] ?? classOfNothing(mask)];
    }
    case "bit-flags":
      return classesOfBits(mask, value, settings);
  }
}

function classesOfBits(mask: BitFlagsMask, value: number, settings: MaskSettings): MaskClass[] {
  const found = new Set<MaskClass>();
  for (const { bit, class: name } of mask.bits) if ((value >>> bit) & 1) found.add(name);
  if (found.has("nodata")) return ["nodata"];
  for (const { bits, class: name, setting } of mask.confidences ?? []) {
    if (setting === undefined) continue;
    if (((value >>> bits[0]) & 3) >= CONFIDENCE[settings[setting] ?? "medium"]) found.add(name);
  }
  // "clear" says only that no cloud was found
  if (found.size > 1) found.delete("clear");
  return found.size === 0 ? [classOfNothing(mask)] : PRECEDENCE.filter((name) => found.has(name));
}

/** Classes that a mask can give, in the order of `MASK_CLASSES`. One that is missing is undetectable, not absent. */
export function detectableClasses(mask: MaskFile): MaskClass[] {
  const found = new Set<MaskClass>([...namedClasses(mask), classOfNothing(mask)]);
  return MASK_CLASSES.filter((name) => found.has(name));
}

/** Returns the class of a value that no class or bit of the mask names. */
function classOfNothing(mask: MaskFile): MaskClass {
  const named = namedClasses(mask);
  // a mask without a class for what is clear, such as that of MSS, says so by saying nothing
  const isKnown = named.includes("clear") && named.includes("nodata");
  return !named.includes("unclassified") && isKnown ? "nodata" : "unclassified";
}

function namedClasses(mask: MaskFile): readonly MaskClass[] {
  if (mask.kind === "class-table") return mask.classes;
  const confident = (mask.confidences ?? []).filter(({ setting }) => setting !== undefined);
  return [...mask.bits, ...confident].map((each) => each.class);
}

/** The number of a class in a `mask_class` raster: its position in `MASK_CLASSES`. */
export function maskCode(name: MaskClass): number {
  return MASK_CLASSES.indexOf(name);
}

/** Stored values that a mask's table covers: 256 where no class needs more than 8 bits, else 65,536. */
function tableLength(mask: MaskFile): number {
  const highest =
    mask.kind === "class-table"
      ? mask.classes.length - 1
      : 2 ** Math.max(...mask.bits.map(({ bit }) => bit), ...(mask.confidences ?? []).flatMap(({ bits }) => bits));
  return highest < 256 ? 256 : 65_536;
}

/** Stored value to class number (position in `MASK_CLASSES`), one entry for each value the mask band can store. */
export function classTable(mask: MaskFile, settings: MaskSettings = {}): Uint8Array {
  return tableOf(mask, (value) => maskCode(classesOfValue(mask, value, settings)[0] ?? "unclassified"));
}

/**
 * Stored value to 1 where the pixel is kept, 0 where any of its classes is excluded: a pixel that is both water and
 * cloud_adjacent goes when either is excluded. `nodata` always goes.
 */
export function keptTable(mask: MaskFile, exclude: readonly MaskClass[], settings: MaskSettings = {}): Uint8Array {
  const dropped = new Set<MaskClass>(["nodata", ...exclude]);
  return tableOf(mask, (value) => (classesOfValue(mask, value, settings).some((name) => dropped.has(name)) ? 0 : 1));
}

/** A number for each stored value; values that differ in bits without a meaning alone are computed once. */
function tableOf(mask: MaskFile, numberOf: (value: number) => number): Uint8Array {
  const table = new Uint8Array(tableLength(mask));
  const meaning = meaningfulBits(mask);
  for (let value = 0; value < table.length; value++) {
    const same = value & meaning;
    // a sample with the same meaning and fewer bits came before
    table[value] = same < value ? (table[same] as number) : numberOf(value);
  }
  return table;
}

/** The bits of a stored value that decide its class. */
function meaningfulBits(mask: MaskFile): number {
  if (mask.kind === "class-table") return -1;
  const confident = (mask.confidences ?? []).filter(({ setting }) => setting !== undefined);
  const bits = [...mask.bits.map(({ bit }) => bit), ...confident.flatMap(({ bits: pair }) => pair)];
  return bits.reduce((all, bit) => all | (1 << bit), 0);
}

/** The masks of these collections by source: where several share one, the fields of all of them. */
export function masksBySource(masks: readonly (MaskFile | undefined)[]): ReadonlyMap<string, MaskFile> {
  const found = new Map<string, MaskFile>();
  for (const mask of masks) {
    if (mask === undefined) continue;
    const other = found.get(mask.source);
    found.set(mask.source, other === undefined ? mask : withFieldsOf(other, mask));
  }
  return found;
}

function withFieldsOf(mask: MaskFile, other: MaskFile): MaskFile {
  if (mask.kind !== "bit-flags" || other.kind !== "bit-flags") return mask;
  const bits = [...mask.bits, ...other.bits.filter(({ bit }) => !mask.bits.some((known) => known.bit === bit))];
  const own = mask.confidences ?? [];
  const confidences = [
    ...own,
    ...(other.confidences ?? []).filter(({ bits: [low] }) => !own.some((known) => known.bits[0] === low)),
  ];
  return {
    ...mask,
    bits: bits.sort((a, b) => a.bit - b.bit),
    confidences: confidences.sort((a, b) => a.bits[0] - b.bits[0]),
  };
}
