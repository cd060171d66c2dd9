/** What is installed where a checkout has no more than a part: written when that is complete. */
export interface Mark {
  readonly part?: "service" | "documents";
  /** The lockfile that it was installed from. */
  readonly lockfile?: string;
}
/** Whether the service runs with a Node, of which these are the features. */
export function runsService(features: { readonly typescript?: unknown }): boolean;
/** @param hasNode whether a Node that runs the service is there */
export function installArguments(part: "service" | "documents" | "all", hasNode: boolean): readonly string[];
export function missingPart(checkout: {
  readonly task: string;
  readonly lockfile: string;
  /** The lockfile of what is installed, as pnpm keeps it. */
  readonly installed: string | undefined;
  readonly mark: Mark | undefined;
  /** Whether a Node that runs the service is there. */
  readonly hasNode: boolean;
}): "service" | "all" | undefined;
