/** Points of a closed line: longitude, latitude in degrees. */
export type Ring = readonly (readonly [number, number])[];

/** Whole numbers as bytes of seven bits, small ones of either sign in one byte. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/**
 * Polygons as bytes: the count of units in a degree, then for each polygon its count of rings, then for each ring its
 * count of points and all steps in x, then all steps in y. Steps are rounded to units; points that do not move are
 * omitted, and a ring is not closed (its last point is not its first).
 */
export function encodeRings(polygons: readonly (readonly Ring[])[], units: number): Uint8Array {
  const bytes: number[] = [];
  pushNumber(bytes, units);
  pushNumber(bytes, polygons.length);
  for (const rings of polygons) {
    pushNumber(bytes, rings.length);
    for (const ring of rings) {
      const points = ring
        .map(([x, y]) => [Math.round(x * units), Math.round(y * units)] as const)
        .filter(([x, y], i, all) => i === 0 || x !== all[i - 1]?.[0] || y !== all[i - 1]?.[1]);
      const [first, last] = [points[0], points.at(-1)];
      if (points.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]) points.pop();
      pushNumber(bytes, points.length);
      for (const axis of [0, 1] as const) {
        points.forEach((point, i) => {
          pushNumber(bytes, point[axis] - (points[i - 1]?.[axis] ?? 0));
        });
      }
    }
  }
  return Uint8Array.from(bytes);
}

/** Reads what {@link encodeRings} wrote; rings come closed, as GeoJSON wants them. */
export function decodeRings(bytes: Uint8Array): [number, number][][][] {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * weight;
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  };
  const units = next();
  const line = (count: number): number[] => {
    let offset = 0;
    return Array.from({ length: count }, () => {
      offset += next();
      return offset / units;
    });
  };
  return Array.from({ length: next() }, () =>
    Array.from({ length: next() }, () => {
      const count = next();
      const xs = line(count);
      const ys = line(count);
      const ring = xs.map((x, i): [number, number] => [x, ys[i] as number]);
      const [first] = ring;
      return first === undefined ? ring : [...ring, first];
    }),
  );
}
