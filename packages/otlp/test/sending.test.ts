import { describe, expect, test } from "vitest";
import { readSending, TracingError } from "../src/sending.ts";

const HERE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

describe("the variables of OpenTelemetry", () => {
  test.each<[string, Record<string, string>]>([
    ["none", {}],
    ["an empty endpoint", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["a name of the service alone", { OTEL_SERVICE_NAME: "maps" }],
    ["the exporter none", { ...HERE, OTEL_TRACES_EXPORTER: "none" }],
    ["the SDK disabled", { ...HERE, OTEL_SDK_DISABLED: "TRUE" }],
  ])("%s start nothing", (_, variables) => {
    expect(readSending(variables)).toBeUndefined();
  });

  test.each<[Record<string, string>, object]>([
    [HERE, { address: "http://collector:4318/v1/traces", protocol: "http/protobuf" }],
    [
      { ...HERE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in" },
      { address: "https://traces.example/in" },
    ],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, { address: "http://localhost:4318/v1/traces" }],
    [{ ...HERE, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }, { protocol: "http/json" }],
    [HERE, { sampler: { root: "always_on", ratio: 1, isByParent: true } }],
    [
      { ...HERE, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" },
      { sampler: { root: "traceidratio", ratio: 0.25, isByParent: false } },
    ],
  ])("%j say %j", (variables, expected) => {
    expect(readSending(variables)).toMatchObject(expected);
  });

  test.each<[Record<string, string>, string]>([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
      "OTEL_EXPORTER_OTLP_ENDPOINT: Expected http://... or https://...",
    ],
    [
      { ...HERE, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      'OTEL_EXPORTER_OTLP_PROTOCOL="grpc": Expected http/protobuf or http/json',
    ],
    [{ ...HERE, OTEL_TRACES_EXPORTER: "zipkin" }, 'OTEL_TRACES_EXPORTER="zipkin": Expected otlp or none'],
    [
      { ...HERE, OTEL_TRACES_SAMPLER: "some" },
      'OTEL_TRACES_SAMPLER="some": Expected one of always_on, parentbased_always_on',
    ],
    [{ ...HERE, OTEL_TRACES_SAMPLER_ARG: "2" }, 'OTEL_TRACES_SAMPLER_ARG="2": Expected 0 to 1'],
  ])("%j are refused in one line that names one", (variables, message) => {
    expect(() => readSending(variables)).toThrow(TracingError);
    expect(() => readSending(variables)).toThrow(message);
  });
});
