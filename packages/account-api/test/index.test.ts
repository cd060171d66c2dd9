import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
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
      "bearerAuthenticator",
      "createAccess",
      "isAccountPath",
      "keyAuthenticator",
      "limitGuesses",
      "mapAuthenticator",
      "mapSecretIn",
      "permitsAny",
      "receiptHeaders",
      "registerAccounts",
      "registerMaps",
      "registerTokenForm",
      "registerUsage",
      "withoutMapSecret",
    ]
  `);
});
