/** Plain data that decides pixels: ids, versions, grid, bands, style. Functions and class instances do not belong. */
export type PlanPart =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly PlanPart[]
  | { readonly [name: string]: PlanPart };

/**
 * One canonical text for the plan of an image: equal for equal plans whatever the order of members, different for
 * different ones. `undefined` members count as absent; −0 is 0; NaN and infinities keep their names. Order of list
 * elements matters, since the order of scenes decides pixels.
 *
 * @example planKey({ scenes: ["b", "a"], z: 8 }) // '{"scenes":["b","a"],"z":8}'
 */
export function planKey(plan: PlanPart): string {
  if (plan === null || plan === undefined) return "null";
  // JSON has no NaN or infinities, so these are written without quotes, where the same text as a string has them
  if (typeof plan === "number") return String(plan);
  if (typeof plan !== "object") return JSON.stringify(plan);
  // text that grows leaves no arrays behind: a mosaic of fifty scenes has thousands of parts
  let text = "";
  if (isList(plan)) {
    for (const part of plan) text += text === "" ? planKey(part) : `,${planKey(part)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(plan).sort()) {
    const part = plan[name];
    if (part !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${planKey(part)}`;
  }
  return `{${text}}`;
}

// Array.isArray does not narrow readonly arrays out of a union
function isList(plan: object): plan is readonly PlanPart[] {
  return Array.isArray(plan);
}

/**
 * 16 hexadecimal digits of `key` for an ETag: two MurmurHash3 x86 32-bit values (Appleby 2011, public domain) over
 * its UTF-8 bytes, with seeds 0 and 0x9747b28c. Names versions of an image; keeps no secret.
 */
export function hashKey(key: string): string {
  const bytes = new TextEncoder().encode(key);
  const hex = (hash: number): string => hash.toString(16).padStart(8, "0");
  return hex(murmur3(bytes, 0)) + hex(murmur3(bytes, 0x9747b28c));
}

function murmur3(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let hash = seed;
  for (let i = 0; i < whole; i += 4) {
    hash ^= scramble(view.getUint32(i, true));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let i = bytes.length - 1; i >= whole; i--) rest = (rest << 8) | view.getUint8(i);
  hash ^= scramble(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}
