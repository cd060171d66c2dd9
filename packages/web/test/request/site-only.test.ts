import { expect, test } from "vitest";
import { allowsOrigin } from "../../src/request/site-only.ts";

test.each([
  { origin: "https://map.test", address: "http://127.0.0.1/mcp", siteOrigins: ["https://map.test"], allowed: true },
  { origin: "null", address: "http://127.0.0.1/mcp", siteOrigins: ["https://map.test"], allowed: false },
  { origin: "http://map.test", address: "http://127.0.0.1/mcp", siteOrigins: ["https://map.test"], allowed: false },
  {
    origin: "http://127.0.0.1:8080",
    address: "http://127.0.0.1:8080/mcp",
    siteOrigins: ["http://a.test"],
    allowed: false,
  },
  { origin: "https://swath.test", address: "http://10.0.0.1/mcp", publicUrl: "https://swath.test", allowed: true },
  { origin: "http://10.0.0.1", address: "http://10.0.0.1/mcp", publicUrl: "https://swath.test", allowed: false },
  { origin: "http://localhost:8080", address: "http://localhost:8080/mcp", allowed: true },
  { origin: "http://[::1]:8080", address: "http://[::1]:8080/mcp", allowed: true },
  { origin: "http://localhost:8081", address: "http://localhost:8080/mcp", allowed: false },
  { origin: "http://evil.test", address: "http://evil.test/mcp", allowed: false },
  { origin: "http://127.0.0.1.evil.test", address: "http://127.0.0.1.evil.test/mcp", allowed: false },
  { origin: "null", address: "http://localhost/mcp", allowed: false },
])("a page of $origin may call $address: $allowed", { tags: ["MC7"] }, ({ origin, address, allowed, ...sites }) => {
  expect(allowsOrigin(origin, address, sites)).toBe(allowed);
});
