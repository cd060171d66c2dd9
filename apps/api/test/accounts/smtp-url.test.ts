import { expect, test } from "vitest";
import { parseSmtpUrl } from "../../src/open/environment/smtp-url.ts";

test.each([
  ["smtp://mail.example", { host: "mail.example", port: 587, tls: "required" }],
  ["smtps://mail.example", { host: "mail.example", port: 465, tls: "implicit" }],
  ["smtp://mail.example:25?tls=off", { host: "mail.example", port: 25, tls: "off" }],
  ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "off" }],
  ["smtp://[::1]:25", { host: "::1", port: 25, tls: "off" }],
  [
    "smtps://ann%40m.example:p%3Ass@mail.example",
    { host: "mail.example", port: 465, tls: "implicit", auth: { user: "ann@m.example", pass: "p:ss" } },
  ],
  ["http://mail.example", undefined],
  ["smtp:mail", undefined],
  ["smtps://mail.example?tls=off", undefined],
  ["smtp://mail.example?tls=no", undefined],
  ["smtp://mail.example/box", undefined],
  ["smtp://%ff:x@mail.example", undefined],
  ["mail.example", undefined],
])("%s is read as %j", (text, server) => {
  expect(parseSmtpUrl(text)).toEqual(server);
});
