import fc from "fast-check";
import { expect, test } from "vitest";
import { hashKey, planKey } from "../src/index.ts";

test.each([
  { plan: { b: 1, a: ["x", null, true] }, key: '{"a":["x",null,true],"b":1}' },
  { plan: { a: undefined, b: [undefined] }, key: '{"b":[null]}' },
  { plan: [Number.NaN, "NaN", -0, Number.NEGATIVE_INFINITY, 1e21], key: '[NaN,"NaN",0,-Infinity,1e+21]' },
  { plan: { 'quo"te': { z: [], y: {} } }, key: '{"quo\\"te":{"y":{},"z":[]}}' },
])("planKey writes $key", ({ plan, key }) => {
  expect(planKey(plan)).toBe(key);
});

test("plans that differ have different keys; the order of members is no difference", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      type Plan = Parameters<typeof planKey>[0];
      const reversed = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(reversed);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, member]) => [name, reversed(member)]),
        );
      };
      expect(planKey(reversed(a) as Plan)).toBe(planKey(a as Plan));
      expect(JSON.parse(planKey(a as Plan))).toEqual(JSON.parse(JSON.stringify(a)));
      if (planKey(a as Plan) === planKey(b as Plan))
        expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
    }),
    { seed: 5 },
  );
});

// published values of MurmurHash3 x86 32 with seeds 0 and 0x9747b28c
test.each([
  { text: "", hash: "00000000ebb6c228" },
  { text: "a", hash: "3c2569b27fa09ea6" },
  { text: "aa", hash: "371091a95d211726" },
  { text: "abc", hash: "b3dd93fac84a62dd" },
  { text: "Hello, world!", hash: "c0363e4324884cba" },
  { text: "The quick brown fox jumps over the lazy dog", hash: "2e4ff7232fa826cd" },
])("hashKey of $text is $hash", ({ text, hash }) => {
  expect(hashKey(text)).toBe(hash);
});
