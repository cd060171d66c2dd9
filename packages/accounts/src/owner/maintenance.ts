import type { Queries, Store } from "@swath/store";
import { readSetting, writeSetting } from "@swath/store";
import { StopError } from "../errors.ts";

/** Whether the owner has closed the service for a while. */
export interface Maintenance {
  isOn(): boolean;
  /** @throws {StopError} `maintenance`, with the time until the service opens, while it is closed. */
  check(): void;
}

/** The maintenance of a store. */
export interface StoredMaintenance extends Maintenance {
  /** Learns what the owner did; runs every few seconds by itself. */
  refresh(): Promise<void>;
  close(): void;
}

/** Clock and reports of a maintenance. */
export interface MaintenanceOptions {
  readonly now?: () => number;
  readonly everyMs?: number;
  readonly onError?: (error: unknown) => void;
  readonly onChange?: (until: number | undefined) => void;
}

const NAME = "maintenance";
/** Nodes open and close within a minute: this is how often they look. */
const EVERY_MS = 10_000;

/** Reads the end of the maintenance, milliseconds since 1970; undefined where there was none. */
export async function readMaintenance(db: Queries): Promise<number | undefined> {
  const text = await readSetting(db, NAME);
  return text === undefined ? undefined : Number(text);
}

/** Closes the service until a time, milliseconds since 1970; a time that has passed opens it. */
export async function writeMaintenance(db: Queries, until: number, now: number): Promise<void> {
  await writeSetting(db, NAME, String(until), now);
}

/**
 * Opens the maintenance of a store; whether the service is closed is known once this resolves. It opens by itself at the
 * time that the owner named, though the store should not answer then.
 */
export async function openMaintenance(
  store: Store,
  { now = Date.now, everyMs = EVERY_MS, onError = () => {}, onChange = () => {} }: MaintenanceOptions = {},
): Promise<StoredMaintenance> {
  let until = await readMaintenance(store);
  const leftMs = (): number => Math.max(0, (until ?? 0) - now());
  const refresh = async (): Promise<void> => {
    const found = await readMaintenance(store);
    if (found === until) return;
    until = found;
    onChange(found);
  };
  const timer = setInterval(() => void refresh().catch(onError), everyMs);
  timer.unref();
  return {
    isOn: () => leftMs() > 0,
    check() {
      const left = leftMs();
      if (left === 0) return;
      const detail = `The service is closed for maintenance until about ${new Date(now() + left).toISOString()}.`;
      throw new StopError("maintenance", detail, left / 1000);
    },
    refresh,
    close: () => clearInterval(timer),
  };
}
