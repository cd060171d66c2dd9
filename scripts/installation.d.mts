/** What is installed where a checkout has no more than a part: written when that is complete. */
export interface Mark {
  readonly part?: "service" | "documents";
  /** The lockfile that it was installed from. */
  readonly lockfile?: string;
}
export type Addition = "node" | "traces";
export const ADDITIONS: Readonly<Record<Addition, string>>;
export function neededAdditions(
  features: { readonly typescript?: unknown },
  variables: Readonly<Record<string, string | undefined>>,
): readonly Addition[];
export function installArguments(
  part: "service" | "documents" | "all",
  additions: readonly Addition[],
): readonly string[];
export function missingPart(checkout: {
  readonly task: string;
  readonly lockfile: string;
  /** The lockfile of what is installed, as pnpm keeps it. */
  readonly installed: string | undefined;
  readonly mark: Mark | undefined;
  /** Whether the additions that the service needs are there. */
  readonly hasAdditions: boolean;
}): "service" | "all" | undefined;
