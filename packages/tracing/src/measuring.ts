import { AsyncLocalStorage } from "node:async_hooks";
import type { MeasuredSpan } from "./spans.ts";

/** Parts of one span that are kept; of the others only their count is. */
const MAX_PARTS = 200;

interface Measuring {
  readonly parts: MeasuredSpan[];
  dropped: number;
}

const measuring = new AsyncLocalStorage<Measuring>();

/** The time, epoch milliseconds with fractions. */
const now = (): number => performance.timeOrigin + performance.now();

/**
 * Does work in a thread without traces of its own, and gives what it measured to `onMeasured`, as plain data for a
 * `SpanReceiver` of the thread that has traces.
 *
 * @throws what the work throws.
 */
export async function measured<T>(
  name: string,
  onMeasured: (span: MeasuredSpan) => void,
  work: () => Promise<T>,
): Promise<T> {
  const own: Measuring = { parts: [], dropped: 0 };
  const start = now();
  let fault: string | undefined;
  try {
    return await measuring.run(own, work);
  } catch (error) {
    fault = error instanceof Error ? error.name : typeof error;
    throw error;
  } finally {
    onMeasured({
      name,
      start,
      end: now(),
      parts: own.parts,
      ...(own.dropped === 0 ? {} : { facts: { "swath.parts_dropped": own.dropped } }),
      ...(fault === undefined ? {} : { fault }),
    });
  }
}

/** Adds a part that has just ended and took `ms` to the work that is measured; nothing where none is. */
export function addPart(ms: number, part: Omit<MeasuredSpan, "start" | "end">): void {
  const own = measuring.getStore();
  if (own === undefined) return;
  const end = now();
  if (own.parts.length < MAX_PARTS) own.parts.push({ ...part, start: end - ms, end });
  else own.dropped += 1;
}
