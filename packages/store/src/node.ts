export { installationSecret, secretFor } from "./node/installation-secret.ts";
export { makeFolder } from "./node/make-folder.ts";
export { openObjects } from "./node/objects/open-objects.ts";
export { type OpenStoreOptions, openStore, type StoreSettings } from "./node/open-store.ts";
export { LINK_SECONDS, type LinkSigner, linkSigner, type SignedLink } from "./node/results/links.ts";
export { openResults, type ResultSettings } from "./node/results/open-results.ts";
export { openResultFolder } from "./node/results/result-folder.ts";
export { secretFile } from "./node/secret-file.ts";
export { openSqliteStore, type SqliteOptions } from "./node/sqlite-store.ts";
