import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as EncodeNode from "@swath/encode/node";
import { openResultFolder } from "@swath/store/node";
import { afterAll, expect, test, vi } from "vitest";
import { JULY, load, save } from "../openeo/graphs.ts";
import { FULL, testService } from "../tools/harness.ts";
import { S2 } from "./process-cases.ts";

/** The writes that fail as on a full disk: those to the file itself, or those of blocks that wait. */
let full: "sink" | "spool" | undefined;

vi.mock("@swath/encode/node", async (original) => {
  const real = await original<typeof EncodeNode>();
  const fail = (): never => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  return {
    ...real,
    fileSink: async (path: string) => {
      const sink = await real.fileSink(path);
      return full === "sink" ? { ...sink, writeAt: async () => fail() } : sink;
    },
    fileSpool: (directory?: string) => async () => {
      const spool = await real.fileSpool(directory)();
      return full === "spool" ? { ...spool, append: async () => fail() } : spool;
    },
  };
});

const folder = await mkdtemp(join(tmpdir(), "swath-disk-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(["sink", "spool"] as const)(
  "a disk that is full while the %s is written is reported as such, and no file remains",
  async (where) => {
    full = where;
    const service = await testService({ results: openResultFolder(join(folder, "results")) });
    const response = await service.post("/v1/process", {
      input: {
        bounds: { bbox: [12.6, 45.2, 12.9, 45.4] },
        data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [S2.july] } }],
      },
      bands: ["B04"],
      output: {},
    });
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(await response.json()).toMatchObject({
      status: 503,
      code: "upstream-unavailable",
      detail: "The service has no room left for output files.",
    });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  },
);

test.each(["sink", "spool"] as const)(
  "so it is where the %s of a process graph's GeoTIFF is written",
  async (where) => {
    full = where;
    const service = await testService({ results: openResultFolder(join(folder, "results")) }, { profile: FULL });
    const process_graph = { load: load({ temporal_extent: JULY }), save: save("load") };
    const response = await service.post("/v1/openeo/result", { process: { process_graph } });
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(await response.json()).toMatchObject({
      status: 503,
      code: "upstream-unavailable",
      detail: "The service has no room left for output files.",
    });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  },
);
