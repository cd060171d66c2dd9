import { expect, test } from "vitest";
import { getPageLink, nextRequest, postPageLink, relationLink } from "../src/index.ts";

const search = "https://stac.test/v1/search";

test("relations carry the media type of their target", () => {
  expect(relationLink("root", "https://stac.test/v1")).toEqual({
    rel: "root",
    href: "https://stac.test/v1",
    type: "application/json",
  });
  expect(relationLink("items", "https://stac.test/i", { title: "Items" })).toEqual({
    rel: "items",
    href: "https://stac.test/i",
    type: "application/geo+json",
    title: "Items",
  });
  expect(relationLink("self", "https://stac.test/i", { type: "application/geo+json" }).type).toBe(
    "application/geo+json",
  );
});

test("a GET page link keeps the parameters and replaces the token", () => {
  const { href, method } = getPageLink("next", `${search}?bbox=1,2,3,4&token=old&limit=5`, "n+w/=");
  expect(method).toBe("GET");
  const parameters = Object.fromEntries(new URL(href).searchParams);
  expect(parameters).toEqual({ bbox: "1,2,3,4", token: "n+w/=", limit: "5" });
});

test("a POST page link, followed, merges its token into the request", () => {
  const request = { method: "POST", body: { limit: 5, collections: ["a"], token: "old" } } as const;
  const next = nextRequest([postPageLink("next", search, "new")], request, search);
  expect(next).toEqual({ method: "POST", body: { limit: 5, collections: ["a"], token: "new" } });
});

test("a link without merge replaces the whole body", () => {
  const link = { rel: "next", href: search, method: "POST" as const, merge: false, body: { next: "x" } };
  expect(nextRequest([link], { method: "POST", body: { limit: 5 } }, search)).toEqual({
    method: "POST",
    body: { next: "x" },
  });
});

test("a GET link is resolved against the search and must stay on its host", () => {
  const request = { method: "POST", body: {} } as const;
  expect(nextRequest([{ rel: "next", href: "?page=2" }], request, search)).toEqual({
    method: "GET",
    url: `${search}?page=2`,
  });
  const away = { rel: "next", href: "http://169.254.169.254/latest" };
  expect(() => nextRequest([away], request, search)).toThrow(expect.objectContaining({ code: "bad-answer" }));
});

test("a link back to its own page is refused, and no link is the end", () => {
  const request = { method: "POST", body: { token: "t" } } as const;
  expect(() => nextRequest([postPageLink("next", search, "t")], request, search)).toThrow(
    expect.objectContaining({ code: "bad-answer" }),
  );
  expect(nextRequest([relationLink("self", search)], request, search)).toBeUndefined();
});
