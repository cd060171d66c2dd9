import fc from "fast-check";
import { expect, test } from "vitest";
import { BufferFreeList, bufferSize } from "../../src/kernels.ts";

test("sizes of buffers hold the requested bytes, waste an eighth at most, and are few", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (length) => {
      const size = bufferSize(length);
      expect(size).toBeGreaterThanOrEqual(length);
      expect(size - length).toBeLessThan(Math.max(65_536, length / 8 + 1));
      expect(bufferSize(size)).toBe(size);
    }),
  );
  const sizes = new Set(Array.from({ length: 4096 }, (_, i) => bufferSize((i + 1) * 4096)));
  expect(sizes.size).toBeLessThanOrEqual(8 * 6);
});

test("the smallest buffer that fits is taken, unless half of it would be wasted", () => {
  const order = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), size: fc.integer({ min: 1, max: 64 }) }),
    fc.record({ kind: fc.constant("take" as const), size: fc.integer({ min: 1, max: 64 }) }),
    fc.record({ kind: fc.constant("drop" as const), size: fc.integer({ min: 0, max: 200 }) }),
  );
  fc.assert(
    fc.property(fc.array(order, { maxLength: 60 }), (orders) => {
      const freeList = new BufferFreeList<ArrayBuffer>();
      let held: ArrayBuffer[] = [];
      for (const { kind, size } of orders) {
        if (kind === "put") {
          const buffer = new ArrayBuffer(size);
          freeList.put(buffer);
          held.push(buffer);
        } else if (kind === "take") {
          const fitting = held.map(({ byteLength }) => byteLength).filter((length) => length >= size);
          const best = Math.min(...fitting);
          const taken = freeList.take(size);
          expect(taken?.byteLength).toBe(best <= 2 * size ? best : undefined);
          if (taken !== undefined) expect(held).toContain(taken);
          held = held.filter((buffer) => buffer !== taken);
        } else {
          const before = freeList.bytes;
          freeList.drop(size);
          expect(freeList.bytes).toBeLessThanOrEqual(Math.max(0, before - size));
          // the remaining buffers are found by taking all of them out and putting them back
          const left: ArrayBuffer[] = [];
          for (let length = 1; length <= 64; length++) {
            for (let each = freeList.take(length); each !== undefined; each = freeList.take(length)) left.push(each);
          }
          expect(left.every((buffer) => held.includes(buffer))).toBe(true);
          for (const buffer of left) freeList.put(buffer);
          held = left;
        }
        expect(freeList.bytes).toBe(held.reduce((sum, { byteLength }) => sum + byteLength, 0));
      }
    }),
  );
});
