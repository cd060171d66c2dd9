import { expect, test } from "vitest";
import { PROCESS_DEFINITIONS } from "../../src/definitions/definitions.ts";
import { PROCESS_FUNCTIONS } from "../../src/processes/processes.ts";

test("a process is defined exactly where there is one", () => {
  expect(PROCESS_DEFINITIONS.map(({ id }) => id).sort()).toEqual([...PROCESS_FUNCTIONS.keys()].sort());
});

test.each(PROCESS_DEFINITIONS)("$id has what openEO asks of a definition", (definition) => {
  const { id, summary, description, parameters, returns } = definition;
  expect(id).toMatch(/^[a-z_]+$/);
  expect(summary.length).toBeLessThan(60);
  expect(description).toMatch(/\.$/);
  expect(returns.description).toMatch(/\.$/);
  for (const parameter of parameters) {
    expect([parameter.name, parameter.description]).toEqual([parameter.name, expect.stringMatching(/[.)]$/)]);
    // what has a default is optional, and what is not comes first
    expect(parameter.optional === true).toBe("default" in parameter);
  }
  const firstOptional = parameters.findIndex(({ optional }) => optional === true);
  if (firstOptional >= 0) {
    expect(parameters.slice(firstOptional).map(({ name, optional }) => [name, optional])).toEqual(
      parameters.slice(firstOptional).map(({ name }) => [name, true]),
    );
  }
});
