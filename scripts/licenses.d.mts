/** A package that the service runs on, as it is installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export function isPermissive(expression: string | undefined): boolean;
export function exceptionFor(installed: InstalledPackage): { readonly reason: string } | undefined;
export function productionPackages(): readonly InstalledPackage[];
export function licenseList(packages: readonly InstalledPackage[]): string;
