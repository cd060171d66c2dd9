import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "ACCOUNTS_TABLES",
      "ANONYMOUS_SEARCH",
      "AccountError",
      "CredentialError",
      "DEFAULT_LIMITS",
      "GUEST_UNITS_DAY",
      "KeyLimitError",
      "LimitError",
      "MailError",
      "MapLimitError",
      "Meter",
      "admissionOf",
      "anonymousIdentity",
      "fromUnits",
      "openAccounts",
      "ownerIdentity",
      "parseEmailAddress",
      "payerOf",
      "toUnits",
    ]
  `);
});

test("the entry for Hono exports these names", async () => {
  expect(Object.keys(await import("../src/hono/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "ACCOUNT",
      "ACCOUNT_PROBLEMS",
      "AccountProblem",
      "DATA",
      "MAP",
      "MAP_PATH",
      "PUBLIC",
      "SESSION",
      "accessStatus",
      "accountProblem",
      "addMeteredRoute",
      "authenticate",
      "authenticatorsOf",
      "createAccess",
      "isAccountPath",
      "keyAuthenticator",
      "mapSecretIn",
      "permitsAny",
      "registerAccounts",
      "registerMaps",
      "registerTokenForm",
      "registerUsage",
      "withoutMapSecret",
    ]
  `);
});

test("the entry for the owner exports these names", async () => {
  expect(Object.keys(await import("../src/owner/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "SPENDING_TABLES",
      "StopError",
      "openMaintenance",
      "openSpending",
      "runAccountsCommand",
      "runKeysCommand",
      "runMaintenanceCommand",
      "runSpendingCommand",
    ]
  `);
});
