import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "ACCOUNT",
      "ACCOUNT_PROBLEMS",
      "AccountProblem",
      "DATA",
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
      "permitsAny",
      "receiptHeaders",
      "registerAccounts",
      "registerTokenForm",
      "registerUsage",
    ]
  `);
});
