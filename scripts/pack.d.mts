/** A package that npm publishes. */
export interface PublishedPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

export const root: string;
export function publishedPackages(from?: string): readonly PublishedPackage[];
export function pack(
  from: Pick<PublishedPackage, "name" | "folder">,
  destination: string,
): Promise<{ readonly filename: string; readonly size: number }>;
