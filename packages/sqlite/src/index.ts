export { DatabaseSync, resultCode, type StatementSync } from "./database.ts";
