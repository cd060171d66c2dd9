/** A mark on an axis. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

const DAY_MS = 86_400_000;

/** Round numbers from `low` to `high`, some five of them: multiples of 1, 2 or 5 times a power of ten. */
export function numberTicks(low: number, high: number): readonly Tick[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const at = (first + i) * step;
    return { at, label: (Math.abs(at) < step / 2 ? 0 : at).toFixed(Math.min(digits, 20)) };
  });
}

/** First days of years or months, or days, UTC: at most nine. Milliseconds since 1970. */
export function timeTicks(from: number, to: number): readonly Tick[] {
  const days = (to - from) / DAY_MS;
  if (days < 60) return dayTicks(from, to, days);
  const months = [1, 2, 3, 6, 12, 24, 36, 60].find((each) => days / (each * 30.4) <= 9) ?? 120;
  const start = new Date(from);
  const ticks: Tick[] = [];
  const firstMonth = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  for (let month = firstMonth; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at > to) return ticks;
    const text = new Date(at).toISOString();
    if (at >= from) ticks.push({ at, label: months % 12 === 0 ? text.slice(0, 4) : text.slice(0, 7) });
  }
}

function dayTicks(from: number, to: number, days: number): readonly Tick[] {
  const step = Math.max(1, Math.ceil(days / 8)) * DAY_MS;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => {
    const at = first + i * step;
    return { at, label: new Date(at).toISOString().slice(0, 10) };
  });
}
