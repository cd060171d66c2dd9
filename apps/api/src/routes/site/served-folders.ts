import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package that this module belongs to, run from its source or from its build. */
const PACKAGE = new URL("../../../", import.meta.url);
/** The checkout around it, where it stands in one. */
const CHECKOUT = new URL("../../", PACKAGE);
const isCheckout = existsSync(new URL("pnpm-workspace.yaml", CHECKOUT));

const find = (inCheckout: string, inPackage: string): string =>
  fileURLToPath(isCheckout ? new URL(inCheckout, CHECKOUT) : new URL(inPackage, PACKAGE));

/** Folder of the explorer's build: beside the service in a checkout, inside of the published package elsewhere. */
export const EXPLORER_FOLDER = find("apps/explorer/dist/", "served/explorer/");
/** Folder of the documents' build, in the same places. */
export const DOCUMENTS_FOLDER = find("apps/docs/dist/", "served/docs/");

/** Whether the pages of a folder are there to be served. */
export const isBuilt = (folder: string): boolean => existsSync(join(folder, "index.html"));
