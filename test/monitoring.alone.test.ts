import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { FleetNode } from "../apps/api/test/operations/fleet/node.ts";
import { freePort } from "./tools/free-port.ts";
import { ROOT } from "./workspace.ts";

const FILES = join(ROOT, "deploy/kubernetes/swath/files");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const why = hasPromtool ? "" : " (skipped: Debian's package prometheus is not installed)";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}
interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
}

let rules: readonly Rule[];
let dashboard: Dashboard;
let folder: string;
/** Names of metrics, as a service that has just started exports them. */
let exported: Set<string>;
let node: FleetNode;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-monitoring-"));
  const { groups } = parse(await readFile(join(FILES, "alerts.yaml"), "utf8")) as { groups: { rules: Rule[] }[] };
  rules = groups.flatMap((group) => group.rules);
  dashboard = JSON.parse(await readFile(join(FILES, "dashboard.json"), "utf8")) as Dashboard;
  const port = await freePort();
  const environment = {
    SWATH_DATA_DIR: folder,
    SWATH_METRICS_PORT: String(port),
    SWATH_API_KEYS: "k",
    SWATH_LOG_LEVEL: "silent",
    SWATH_UPSTREAM_URL: "http://127.0.0.1:9/v1",
    SWATH_WORKERS: "1",
  };
  node = new FleetNode("monitored", environment);
  await node.start();
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  exported = new Set();
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    for (const each of type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])
      exported.add(each);
  }
}, 120_000);
afterAll(async () => {
  await node.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Names of metrics in an expression: words that are no functions, keywords, labels or texts. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '""')
    .replace(/\{[^}]*\}/g, "")
    .replace(/\b(?:by|on|without)\s*\([^)]*\)/g, "")
    .replace(/\[[^\]]*\]/g, "");
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter(
      (name) => !["and", "or", "by", "on", "offset", "unless", "le", "e9"].includes(name) && !/^\d|^[a-z]$/.test(name),
    );
}
const OF_PROMETHEUS = ["up"];
const queries = (): readonly string[] => [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
];

test("a started service exports the metrics that alerts and dashboard name", () => {
  expect(exported.size).toBeGreaterThan(40);
  const named = [...rules.map(({ expr }) => expr), ...queries()].flatMap(metricsIn);
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !exported.has(name) && !OF_PROMETHEUS.includes(name))).toEqual([]);
});

test("every metric of the service's own is on the dashboard or in an alert", () => {
  const named = new Set(
    [...rules.map(({ expr }) => expr), ...queries()]
      .flatMap(metricsIn)
      .map((name) => name.replace(/_(bucket|sum|count)$/, "")),
  );
  const own = [...exported]
    .filter((name) => name.startsWith("swath_"))
    .map((name) => name.replace(/_(bucket|sum|count)$/, ""));
  expect([...new Set(own)].filter((name) => !named.has(name))).toEqual([]);
});

test("names in expressions are told from functions, labels and texts", () => {
  expect(
    metricsIn(
      'sum by (le, route) (rate(a_total{b="c_total"}[5m])) / on() count(up{job="x"} == 0) > 0.01 and m_bucket offset 1d',
    ),
  ).toEqual(["a_total", "up", "m_bucket"]);
});

describe.skipIf(!hasPromtool)(`Prometheus${why}`, () => {
  const promtool = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("promtool", [...args], { cwd: FILES, encoding: "utf8" });
    return status === 0 ? "" : stdout + stderr;
  };

  test("takes the alerts, and their own tests hold", () => {
    expect(promtool("check", "rules", "alerts.yaml")).toBe("");
    expect(promtool("test", "rules", "alerts.test.yaml")).toBe("");
  });

  test("parses every expression of the dashboard", async () => {
    const values = { $__rate_interval: "5m", $instance: ".*" };
    const written = queries().map((expr, i) => ({
      record: `panel:number:${i}`,
      expr: Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), expr),
    }));
    const file = join(folder, "dashboard.yaml");
    await writeFile(file, stringify({ groups: [{ name: "dashboard", rules: written }] }));
    expect(promtool("check", "rules", file)).toBe("");
  });
});

test("each alert says how urgent it is, what has happened and what to do", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Swath[A-Z][A-Za-z]+$/);
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.description).toMatch(/\.$/);
  }
});

test("panels of the dashboard lie side by side within 24 columns, each with a title and a number of its own", () => {
  const { panels, templating } = dashboard;
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = new Set<string>();
  for (const { title, type, gridPos, targets = [] } of panels) {
    expect(title).not.toBe("");
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    expect([type === "row", targets.length > 0].filter(Boolean)).toHaveLength(1);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x},${y}`), `${title} lies over another panel`).toBe(false);
        cells.add(`${x},${y}`);
      }
    }
  }
});
