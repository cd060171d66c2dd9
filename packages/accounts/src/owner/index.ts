export { StopError } from "../errors.ts";
export { type AccountsCommand, runAccountsCommand } from "./accounts-command.ts";
export { runKeysCommand } from "./keys-command.ts";
export { type Maintenance, type MaintenanceOptions, openMaintenance, type StoredMaintenance } from "./maintenance.ts";
export { runMaintenanceCommand } from "./maintenance-command.ts";
export type { OwnerCommand } from "./owner-command.ts";
export { runSpendingCommand, type SpendingCommand } from "./spending-command.ts";
export { SPENDING_TABLES, type SpendingBounds, type SpendingState, type Spent } from "./spending-state.ts";
export { openSpending, type SpendingStop, type StoredSpending, type StoredSpendingOptions } from "./spending-stop.ts";
