/** Types of openEO's library for process graphs, which has no types of its own. */
declare module "@openeo/js-processgraphs" {
  export class ProcessRegistry {
    constructor(processes: readonly unknown[]);
  }
  export class ProcessGraph {
    constructor(process: unknown, registry: ProcessRegistry);
    validate(throwOnErrors: boolean): Promise<{ getAll(): Error[] }>;
  }
}
