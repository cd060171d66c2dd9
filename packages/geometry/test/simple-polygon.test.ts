import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costRatio } from "../../../test/tools/cost.ts";
import { findSelfIntersection, type Position } from "../src/index.ts";

const judged = JSON.parse(readFileSync(new URL("./fixtures/geometry.json", import.meta.url), "utf8")) as {
  rings: [Position[], boolean][];
};

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

describe("findSelfIntersection", () => {
  test.each([
    { name: "a square", rings: [square], simple: true },
    {
      name: "a repeated vertex",
      rings: [
        [
          [0, 0],
          [4, 0],
          [4, 0],
          [4, 4],
          [0, 4],
          [0, 0],
          [0, 0],
        ],
      ],
      simple: true,
    },
    {
      name: "a spike",
      rings: [
        [
          [0, 0],
          [4, 0],
          [9, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
      ],
      simple: false,
    },
    {
      name: "a ring that touches itself in a vertex",
      rings: [
        [
          [0, 0],
          [2, 2],
          [4, 0],
          [4, 4],
          [2, 2],
          [0, 4],
          [0, 0],
        ],
      ],
      simple: false,
    },
    {
      name: "a ring that touches an edge of its own",
      rings: [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [2, 0],
          [0, 4],
          [0, 0],
        ],
      ],
      simple: false,
    },
    {
      name: "a hole that touches the outer ring in a point",
      rings: [
        square,
        [
          [0, 2],
          [1, 1],
          [1, 3],
          [0, 2],
        ],
      ],
      simple: true,
    },
    {
      name: "two holes that touch in a vertex",
      rings: [
        square,
        [
          [1, 1],
          [2, 2],
          [1, 3],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 1],
          [3, 3],
          [2, 2],
        ],
      ],
      simple: true,
    },
    {
      name: "a hole across the outer ring",
      rings: [
        square,
        [
          [3, 1],
          [5, 2],
          [3, 3],
          [3, 1],
        ],
      ],
      simple: false,
    },
    {
      name: "a hole along the outer ring",
      rings: [
        square,
        [
          [0, 1],
          [0, 3],
          [1, 2],
          [0, 1],
        ],
      ],
      simple: false,
    },
  ])("$name: simple is $simple", ({ rings, simple }) => {
    expect(findSelfIntersection(rings) === undefined).toBe(simple);
  });

  test("agrees with GEOS on every judged ring, forwards, backwards and turned", () => {
    for (const [ring, simple] of judged.rings) {
      const turned = ring.map(([x = 0, y = 0]) => [-y, x]);
      for (const form of [ring, ring.toReversed(), turned]) {
        expect({ form, simple: findSelfIntersection([form]) === undefined }).toEqual({ form, simple });
      }
    }
  });

  test("agrees with the comparison of all pairs of edges", () => {
    const position = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }));
    fc.assert(
      fc.property(fc.uniqueArray(position, { minLength: 3, maxLength: 9, selector: String }), (corners) => {
        const ring = [...corners, corners[0] ?? [0, 0]];
        expect(findSelfIntersection([ring]) === undefined).toBe(isSimpleByPairs(ring));
      }),
      { numRuns: 2000 },
    );
  });

  const n = 9999;
  const closed = (ring: number[][]): number[][] => [...ring, ring[0] ?? []];
  const at = (length: number, vertex: (i: number) => number[]): number[][] =>
    closed(Array.from({ length }, (_, i) => vertex(i)));
  const spiral = [0, 0.5].map((gap) =>
    Array.from({ length: 4999 }, (_, i) => [
      Math.cos(i / 20) * (1 + gap + i / 100),
      Math.sin(i / 20) * (1 + gap + i / 100),
    ]),
  );
  test.each([
    {
      name: "a zigzag whose edges all cross",
      ring: at(n, (i) => [i % 2 ? 99 : -99, Math.sin(i * 7.3) * 80]),
      simple: false,
    },
    {
      name: "a circle",
      ring: at(n, (i) => [Math.cos((i / n) * 2 * Math.PI) * 99, Math.sin((i / n) * 2 * Math.PI) * 80]),
      simple: true,
    },
    {
      name: "a comb whose teeth all overlap in extent",
      ring: at(n, (i) => (i < n - 2 ? [i % 2 ? 99 : -99, (i / n) * 160 - 80] : [150, i === n - 2 ? 85 : -85])),
      simple: true,
    },
    {
      name: "a star that returns to its centre",
      ring: at(n, (i) => (i % 3 ? [Math.cos(i) * 9, Math.sin(i) * 9] : [0, 0])),
      simple: false,
    },
    { name: "a spiral", ring: closed([...(spiral[0] ?? []), ...(spiral[1] ?? []).toReversed()]), simple: true },
  ])("$name of 10,000 vertices takes less work than all pairs of 1,500 edges", async ({ ring, simple }) => {
    expect(findSelfIntersection([ring]) === undefined).toBe(simple);
    const circle = Array.from({ length: 500 }, (_, i) => [
      Math.cos((i / 250) * Math.PI),
      Math.sin((i / 250) * Math.PI),
    ]);
    const few = closed(circle).map(([x = 0, y = 0]) => [x, y] as const);
    // of 1,500 edges there are nine times as many pairs, of 10,000 400 times
    const ratio = await costRatio(
      () => findSelfIntersection([ring]),
      () => isSimpleByPairs(few),
    );
    expect(ratio).toBeLessThan(9);
  });
});

function isSimpleByPairs(ring: readonly (readonly [number, number])[]): boolean {
  const edges = ring.slice(1).map((end, i) => [ring[i] ?? end, end] as const);
  return edges.every((a, i) =>
    edges.every((b, j) => {
      if (j <= i) return true;
      const shared = [a[0], a[1]].filter((p) => b.some((q) => q[0] === p[0] && q[1] === p[1]));
      const neighbours = j === i + 1 || (i === 0 && j === edges.length - 1);
      if (!neighbours) return !segmentsMeet(a, b);
      const others = [a, b].map((edge) =>
        edge.find((p) => !shared.some((q) => q === p || (q[0] === p[0] && q[1] === p[1]))),
      );
      const [p, q] = others;
      if (p === undefined || q === undefined) return false;
      const corner = shared[0] ?? p;
      return (
        turn(corner, p, q) !== 0 ||
        (p[0] - corner[0]) * (q[0] - corner[0]) + (p[1] - corner[1]) * (q[1] - corner[1]) < 0
      );
    }),
  );
}

type Point2 = readonly [number, number];

function turn(a: Point2, b: Point2, c: Point2): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

function segmentsMeet([a, b]: readonly [Point2, Point2], [c, d]: readonly [Point2, Point2]): boolean {
  const within = (p: Point2, q: Point2, r: Point2): boolean =>
    turn(p, q, r) === 0 &&
    Math.min(p[0], q[0]) <= r[0] &&
    r[0] <= Math.max(p[0], q[0]) &&
    Math.min(p[1], q[1]) <= r[1] &&
    r[1] <= Math.max(p[1], q[1]);
  if (within(a, b, c) || within(a, b, d) || within(c, d, a) || within(c, d, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}
