import { counted } from "./counted.ts";
import type { OwnArchive, ScanReport } from "./own-archive.ts";

/** The folder is looked at no more than a twentieth of the time. */
const REST_PER_SCAN = 20;
/** Pause between two looks for changes that other processes wrote to the index, milliseconds. */
const REFRESH_MS = 5000;

/** Takes lines about scans. */
export interface ScanLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Writes the findings of a scan, one per line. */
export function reportLines({
  items,
  opened,
  written,
  removed,
  milliseconds,
  refused,
  remarks,
}: ScanReport): readonly string[] {
  const counts = `${counted(items, "item")}, ${written} new, ${removed} gone, ${counted(opened, "header")} read`;
  return [
    `${counts}, ${(milliseconds / 1000).toFixed(1)} s`,
    ...refused.map((line) => `not served: ${line}`),
    ...remarks.map((line) => `note: ${line}`),
  ];
}

/** Writes the lines about the folder that the service prints when it starts. */
export function archiveLines({ folder, collections, first }: OwnArchive): readonly string[] {
  const ids = collections.map(({ id }) => id);
  const shown = ids.slice(0, 20).join(", ") + (ids.length > 20 ? ` and ${ids.length - 20} more` : "");
  return [`${folder.directory}: ${ids.length === 0 ? "no collection" : shown}`, ...reportLines(first)];
}

/**
 * Looks at the folder again and again, and at once on SIGHUP. The pause is that of the settings, and at least twenty times
 * as long as the last look took.
 */
export function watchArchive(
  archive: OwnArchive,
  { archive: settings }: { readonly archive?: { readonly pollSeconds: number } },
  log: ScanLog,
): { stop(): Promise<void> } {
  const pause = (settings?.pollSeconds ?? 0) * 1000;
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const started = performance.now();
    try {
      const report = await archive.scan({ signal: stopped.signal });
      const facts = { written: report.written, removed: report.removed, items: report.items };
      if (report.written + report.removed > 0) log.info(facts, "the archive's folder has changed");
    } catch (error) {
      if (!stopped.signal.aborted) log.warn({ err: error }, "the archive's folder could not be looked at");
    }
    plan(Math.max(pause, REST_PER_SCAN * (performance.now() - started)));
  };
  const lookNow = (): void => {
    clearTimeout(timer);
    running = running.then(look);
  };
  const plan = (milliseconds: number): void => {
    clearTimeout(timer);
    if (pause === 0 || stopped.signal.aborted) return;
    timer = setTimeout(lookNow, Math.min(milliseconds, 2 ** 31 - 1)).unref();
  };
  let refreshing: Promise<unknown> = Promise.resolve();
  const refresh = setInterval(() => {
    refreshing = refreshing
      .then(() => archive.refreshIfChanged())
      .catch((error: unknown) => log.warn({ err: error }, "the archive's index could not be read"));
  }, REFRESH_MS).unref();
  process.on("SIGHUP", lookNow);
  plan(pause);
  return {
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      clearInterval(refresh);
      process.off("SIGHUP", lookNow);
      await Promise.all([running, refreshing]);
    },
  };
}
