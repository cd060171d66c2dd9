import { once } from "node:events";
import { openStore, type StoreSettings } from "../../src/node/open-store.ts";

// Opens the store named by its argument once its parent says so.
const settings = JSON.parse(process.argv[2] ?? "") as StoreSettings;
process.send?.("ready");
await once(process, "message");
await (await openStore(settings)).close();
process.disconnect();
