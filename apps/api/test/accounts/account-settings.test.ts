import { expect, test } from "vitest";
import { parseEnvironment } from "../../src/open/environment/environment.ts";

const SMTP = { SWATH_SMTP_URL: "smtp://user:hunter2@mail.example", SWATH_MAIL_FROM: "Maps <maps@example.org>" };
const PUBLIC = { HOST: "0.0.0.0", SWATH_PUBLIC_URL: "https://maps.example" };

test.each([
  { name: "on this machine alone", variables: {}, isOn: true },
  { name: "for others", variables: PUBLIC, isOn: false },
  { name: "for others, with a mail server", variables: { ...PUBLIC, ...SMTP }, isOn: true },
  { name: "for others, by the owner's wish", variables: { ...PUBLIC, SWATH_ACCOUNTS: "on" }, isOn: true },
  { name: "turned off", variables: { ...SMTP, SWATH_ACCOUNTS: "off" }, isOn: false },
  { name: "in lean v1", variables: { ...SMTP, SWATH_PROFILE: "lean", SWATH_ACCOUNTS: "on" }, isOn: false },
])("a service $name has accounts: $isOn", ({ variables, isOn }) => {
  expect("accounts" in parseEnvironment(variables)).toBe(isOn);
});

test("mails go by the server that is named, else to files", () => {
  expect(parseEnvironment(SMTP).accounts).toEqual({
    mailFrom: "Maps <maps@example.org>",
    smtp: { host: "mail.example", port: 587, tls: "required", auth: { user: "user", pass: "hunter2" } },
  });
  expect(parseEnvironment({}).accounts).toEqual({ mailFrom: expect.stringContaining("@") });
});

test("keys begin with the prefix that is set, and pages of the origins that are listed are the website's", () => {
  expect(parseEnvironment({})).toMatchObject({ keyPrefix: "swath", siteOrigins: [] });
  const variables = { SWATH_KEY_PREFIX: "acme2", SWATH_SITE_ORIGINS: "https://maps.example, http://localhost:8080/" };
  expect(parseEnvironment(variables)).toMatchObject({
    keyPrefix: "acme2",
    siteOrigins: ["https://maps.example", "http://localhost:8080"],
  });
});

test.each([
  ["SWATH_ACCOUNTS", "yes"],
  ["SWATH_KEY_PREFIX", "A"],
  ["SWATH_KEY_PREFIX", "a"],
  ["SWATH_KEY_PREFIX", "with_underscore"],
  ["SWATH_KEY_PREFIX", "a2345678901234567"],
  ["SWATH_MAIL_FROM", "nobody"],
  ["SWATH_MAIL_FROM", "a@example.org\r\nBcc: b@example.org"],
  ["SWATH_MAIL_FROM", "A\nB <a@example.org>"],
  ["SWATH_SITE_ORIGINS", "maps.example"],
  ["SWATH_SITE_ORIGINS", "https://maps.example/path"],
  ["SWATH_SITE_ORIGINS", "https://user@maps.example"],
  ["SWATH_SITE_ORIGINS", "*"],
  ["SWATH_SITE_ORIGINS", "null"],
])("%s=%j stops the start with a line that names it", (name, value) => {
  expect(() => parseEnvironment({ [name]: value })).toThrow(new RegExp(`^${name}="`));
});

test("what is wrong with the mail server's address is said without its password", () => {
  const attempt = (): unknown => parseEnvironment({ ...SMTP, SWATH_SMTP_URL: "imap://user:hunter2@mail.example" });
  expect(attempt).toThrow(/^SWATH_SMTP_URL: Expected smtp:/);
  expect(attempt).not.toThrow(/hunter2/);
});

test("a mail server needs a sender, and accounts for others an address that links lead to", () => {
  expect(() => parseEnvironment({ SWATH_SMTP_URL: "smtp://mail.example" })).toThrow(/SWATH_MAIL_FROM/);
  expect(() => parseEnvironment({ HOST: "0.0.0.0", ...SMTP })).toThrow(/SWATH_PUBLIC_URL/);
  const sites = { HOST: "0.0.0.0", ...SMTP, SWATH_SITE_ORIGINS: "https://maps.example" };
  expect(parseEnvironment(sites).accounts).toBeDefined();
});
