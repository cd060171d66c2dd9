import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { PodMonitor, PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Ajv } from "ajv";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { VARIABLE_NAMES } from "../apps/api/src/open/environment/variables.ts";
import { ROOT } from "./workspace.ts";

const CHART = join(ROOT, "deploy/kubernetes/swath");
const GO = { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "-buildvcs=false" };
const hasGo =
  spawnSync("go", ["list", "github.com/Masterminds/sprig", "sigs.k8s.io/yaml"], { env: { ...process.env, ...GO } })
    .status === 0;
const why = hasGo
  ? ""
  : " (skipped: Debian's golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev are not installed)";

/** The kinds of objects with the validators that are made of their published schemas. */
const MODELS = {
  Deployment,
  Service,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
  Ingress,
  NetworkPolicy,
  ConfigMap,
  ScaledObject,
  TriggerAuthentication,
  PodMonitor,
  PrometheusRule,
};
/** Where the types of those kinds are declared: a member that a type lacks is a fault, which validators let pass. */
const TYPES: Readonly<Record<keyof typeof MODELS, string>> = {
  Deployment: "kubernetes-models/apps/v1",
  Service: "kubernetes-models/v1",
  ConfigMap: "kubernetes-models/v1",
  HorizontalPodAutoscaler: "kubernetes-models/autoscaling/v2",
  PodDisruptionBudget: "kubernetes-models/policy/v1",
  Ingress: "kubernetes-models/networking.k8s.io/v1",
  NetworkPolicy: "kubernetes-models/networking.k8s.io/v1",
  ScaledObject: "@kubernetes-models/keda/keda.sh/v1alpha1",
  TriggerAuthentication: "@kubernetes-models/keda/keda.sh/v1alpha1",
  PodMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
  PrometheusRule: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
};

interface Rendered {
  readonly apiVersion: string;
  readonly kind: keyof typeof MODELS;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: unknown;
}

const NEEDED = {
  publicUrl: "https://maps.example.org",
  upstreamUrl: "https://stac.example.org/v1",
  secretName: "swath-secrets",
  results: { url: "s3://results/swath" },
};
const ALL = {
  ...NEEDED,
  results: { ...NEEDED.results, endpoint: "http://s3.storage:9000" },
  imagePullSecrets: [{ name: "registry" }],
  settings: { SWATH_SPENDING_MAX_GB: 500, SWATH_WORKERS: 7 },
  tracesEndpoint: "http://collector:4318",
  api: {
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "maps", operator: "Exists" }],
    autoscaling: { enabled: false },
  },
  worker: { autoscaling: { enabled: true }, jobSlots: 9, jobsPerWorker: 2 },
  ingress: {
    enabled: true,
    className: "nginx",
    tlsSecret: "tls",
    annotations: { "nginx.ingress.kubernetes.io/proxy-read-timeout": "30" },
  },
  networkPolicy: {
    ingressNamespaces: { "kubernetes.io/metadata.name": "ingress" },
    metricsNamespaces: { "kubernetes.io/metadata.name": "monitoring" },
    privateEgress: [{ cidr: "10.0.0.0/16", port: 5432 }],
  },
  monitoring: { serviceMonitor: true, alerts: true, dashboard: true, labels: { release: "prometheus" } },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "swath-chart-"));
  if (hasGo)
    execFileSync("go", ["build", "-o", join(folder, "render"), join(ROOT, "test/tools/helm/main.go")], {
      env: { ...process.env, ...GO, GOCACHE: join(folder, "cache") },
    });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function render(
  values: object,
  release = "prod",
): { readonly objects: readonly Rendered[]; readonly text: string; readonly fault: string } {
  const file = join(folder, "values.yaml");
  writeFileSync(file, stringify(values));
  const { stdout, stderr, status } = spawnSync(join(folder, "render"), [CHART, release, "maps", file], {
    encoding: "utf8",
  });
  if (status !== 0) return { objects: [], text: "", fault: stderr };
  const manifests = stdout.replace(/# Source: NOTES\.txt\n[\s\S]*?(?=\n---)/, "");
  const objects = parseAllDocuments(manifests).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const object = document.toJS() as Rendered | null;
    return object === null ? [] : [object];
  });
  return { objects, text: stdout, fault: "" };
}

const find = (objects: readonly Rendered[], kind: string, name: string): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`Expected ${kind} ${name}.`);
  return found;
};
const podOf = (deployment: Rendered) =>
  (
    deployment.spec as {
      template: { spec: { containers: readonly [Container]; securityContext: unknown; volumes: unknown } };
    }
  ).template.spec;
const environmentOf = (deployment: Rendered): Record<string, string> =>
  Object.fromEntries(podOf(deployment).containers[0].env.map(({ name, value }) => [name, value]));

describe.skipIf(!hasGo)(`the chart of deploy/kubernetes${why}`, () => {
  test.each([
    [
      "what has no default",
      NEEDED,
      [
        "Deployment",
        "Deployment",
        "HorizontalPodAutoscaler",
        "NetworkPolicy",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Service",
      ],
    ],
    [
      "everything",
      ALL,
      [
        "ConfigMap",
        "Deployment",
        "Deployment",
        "Ingress",
        "NetworkPolicy",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "PodMonitor",
        "PrometheusRule",
        "ScaledObject",
        "Service",
        "TriggerAuthentication",
      ],
    ],
  ])(
    "with %s set renders objects that hold to the published schemas, and has no member that they lack",
    (_, values, kinds) => {
      const { objects, fault } = render(values);
      expect(fault).toBe("");
      expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds);
      for (const object of objects) {
        const model = new (
          MODELS[object.kind] as unknown as new (
            data: object,
          ) => { validate(): void; apiVersion: string }
        )(object);
        expect(() => model.validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
        expect(object.apiVersion).toBe((MODELS[object.kind] as unknown as { apiVersion: string }).apiVersion);
      }
      const code = objects.map(
        (object, i) =>
          `import type { I${object.kind} as I${i} } from "${TYPES[object.kind]}";\nexport const o${i}: I${i} = ${JSON.stringify(object)};\n`,
      );
      // below the checkout, so that the types are found
      const cache = mkdtempSync(join(ROOT, "node_modules", ".swath-chart-"));
      const file = join(cache, "chart.ts");
      try {
        writeFileSync(file, code.join(""));
        const { stdout } = spawnSync(
          join(ROOT, "node_modules/.bin/tsc"),
          [
            "--ignoreConfig",
            "--noEmit",
            "--strict",
            "--skipLibCheck",
            "--module",
            "nodenext",
            "--target",
            "es2022",
            file,
          ],
          { encoding: "utf8" },
        );
        expect(stdout).toBe("");
      } finally {
        rmSync(cache, { recursive: true });
      }
    },
  );

  test.each(["publicUrl", "upstreamUrl", "secretName", "results"])("without %s says that it has to be set", (name) => {
    const { [name]: _, ...values } = NEEDED as Record<string, unknown>;
    expect(render(values).fault).toContain("has to be set");
  });

  test("runs each role without rights, on a read-only file system, with its probes at the health port", () => {
    const { objects } = render(ALL);
    for (const role of ["api", "worker"]) {
      const deployment = find(objects, "Deployment", `prod-swath-${role}`);
      const { securityContext, containers, volumes } = podOf(deployment);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(containers[0]).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        livenessProbe: { httpGet: { path: "/live", port: "health" } },
        readinessProbe: { httpGet: { path: "/ready", port: "health" } },
        envFrom: [{ secretRef: { name: "swath-secrets" } }],
        volumeMounts: [{ mountPath: "/data" }, { mountPath: "/tmp" }],
      });
      expect(volumes).toMatchObject([{ emptyDir: {} }, { emptyDir: {} }]);
      const ports = Object.fromEntries(
        containers[0].ports.map(({ name, containerPort }) => [name, String(containerPort)]),
      );
      const environment = environmentOf(deployment);
      expect(environment).toMatchObject({
        SWATH_ROLE: role,
        SWATH_HEALTH_PORT: ports.health,
        SWATH_METRICS_PORT: ports.metrics,
      });
    }
  });

  test("sets variables that the service reads, those of `settings` above its own, and no secret", () => {
    const { objects } = render(ALL);
    const [api, worker] = ["api", "worker"].map((role) =>
      environmentOf(find(objects, "Deployment", `prod-swath-${role}`)),
    );
    for (const name of Object.keys({ ...api, ...worker }))
      expect([...VARIABLE_NAMES, "OTEL_EXPORTER_OTLP_ENDPOINT"]).toContain(name);
    expect(api).toMatchObject({
      SWATH_WORKERS: "7",
      SWATH_SPENDING_MAX_GB: "500",
      SWATH_JOB_SLOTS: "9",
      SWATH_SHARED_IMAGES: "on",
      SWATH_TRUST_PROXY: "1",
    });
    expect(worker).toMatchObject({
      SWATH_WORKER_JOBS: "2",
      SWATH_JOB_SLOTS: "9",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
    });
    expect(JSON.stringify([api, worker])).not.toMatch(/DATABASE_URL|SECRET|TOKEN/);
  });

  test("scales workers by the queue, up to as many as fill its slots, and asks the table that the queue is in", () => {
    const { objects } = render(ALL);
    const { spec } = find(objects, "ScaledObject", "prod-swath-worker");
    expect(spec).toMatchObject({
      minReplicaCount: 1,
      maxReplicaCount: 5,
      scaleTargetRef: { name: "prod-swath-worker" },
    });
    const [
      {
        metadata: { query, targetQueryValue },
      },
    ] = spec.triggers as [{ metadata: Record<string, string> }];
    expect([query, targetQueryValue]).toEqual(["select count(*) from job where status in ('queued', 'running')", "2"]);
    expect(find(objects, "Deployment", "prod-swath-worker").spec).not.toHaveProperty("replicas");
    expect(find(objects, "Deployment", "prod-swath-api").spec.replicas).toBe(2);
    expect(
      render({ ...ALL, worker: { ...ALL.worker, jobSlots: 1 } }).objects.find(({ kind }) => kind === "ScaledObject")
        ?.spec.maxReplicaCount,
    ).toBe(1);
  });

  test("makes large files in parts by all workers where it is set, and scales them by the parts that wait", () => {
    const worker = { ...ALL.worker, jobPartValues: 50_000_000, autoscaling: { enabled: true, maxReplicas: 12 } };
    const { objects } = render({ ...ALL, worker });
    const variable = (role: string) =>
      environmentOf(find(objects, "Deployment", `prod-swath-${role}`)).SWATH_JOB_PART_VALUES;
    expect([variable("worker"), variable("api")]).toEqual(["50000000", undefined]);
    const { spec } = find(objects, "ScaledObject", "prod-swath-worker");
    const [{ metadata }] = spec.triggers as [{ metadata: Record<string, string> }];
    const ofParts = "select ceil((coalesce(sum(count), 0) - (select count(*) from part)) / 2.0) * 2 from part_set";
    expect([spec.maxReplicaCount, metadata.query]).toEqual([
      12,
      `select greatest((select count(*) from job where status in ('queued', 'running')), (${ofParts}))`,
    ]);
  });

  test("names objects after the release, and selectors choose the pods of one role", () => {
    for (const [release, base] of [
      ["prod", "prod-swath"],
      ["swath", "swath"],
      ["a".repeat(53), `${"a".repeat(50)}`],
    ]) {
      const { objects } = render(ALL, release);
      for (const { metadata } of objects) expect(metadata.name.length).toBeLessThanOrEqual(63);
      const { spec } = find(objects, "Deployment", `${base}-api`);
      const { selector, template } = spec as {
        selector: { matchLabels: object };
        template: { metadata: { labels: object } };
      };
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      expect(selector.matchLabels).toMatchObject({
        "app.kubernetes.io/component": "api",
        "app.kubernetes.io/instance": release,
      });
      expect(find(objects, "Service", `${base}-api`).spec.selector).toEqual(selector.matchLabels);
    }
  });

  test("carries the alerts and the dashboard as they are in its files", () => {
    const { objects } = render(ALL);
    expect(find(objects, "PrometheusRule", "prod-swath-alerts").spec).toEqual(
      parse(readFileSync(join(CHART, "files/alerts.yaml"), "utf8")),
    );
    const { data } = find(objects, "ConfigMap", "prod-swath-dashboard");
    expect(data?.["swath.json"]).toBe(readFileSync(join(CHART, "files/dashboard.json"), "utf8"));
  });

  test.skipIf(spawnSync("helm", ["version"]).status !== 0)(
    "is rendered by Helm to the same objects, and its linter finds nothing (skipped where Helm is not installed)",
    () => {
      const file = join(folder, "helm.yaml");
      writeFileSync(file, stringify(ALL));
      execFileSync("helm", ["lint", "--strict", CHART, "--values", file]);
      const text = execFileSync("helm", ["template", "prod", CHART, "--namespace", "maps", "--values", file], {
        encoding: "utf8",
      });
      const objects = parseAllDocuments(text).flatMap((document) =>
        document.toJS() === null ? [] : [document.toJS() as Rendered],
      );
      const sorted = (all: readonly Rendered[]) =>
        [...all].sort((a, b) => `${a.kind}${a.metadata.name}`.localeCompare(`${b.kind}${b.metadata.name}`));
      expect(sorted(objects)).toEqual(sorted(render(ALL).objects));
    },
  );
});

describe("the values of the chart", () => {
  const check = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")));
  const defaults = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as Record<string, object>;

  test("hold to their schema, defaults with what has to be set, and every default is in it", () => {
    expect([check({ ...defaults, ...NEEDED }), check.errors]).toEqual([true, null]);
    expect([check(ALL), check.errors]).toEqual([true, null]);
  });

  test.each([
    { publicUrl: "maps.example.org" },
    { publicUrl: "https://maps.example.org/" },
    { results: { url: "file:///srv" } },
    { settings: { DATABASE_URL: "postgres://u:secret@host/db" } },
    { worker: { jobSlots: 65 } },
    { worker: { jobPartValues: -1 } },
    { worker: { jobSlot: 4 } },
    { unknown: true },
  ])("such as %j are refused", (values) => {
    expect(check({ ...defaults, ...NEEDED, ...values })).toBe(false);
  });

  test("the chart has the version of the service", () => {
    const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8")) as Record<string, string>;
    const { version } = JSON.parse(readFileSync(join(ROOT, "apps/api/package.json"), "utf8")) as { version: string };
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });
});
