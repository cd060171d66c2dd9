import { expect, test } from "vitest";
import { nextRequest } from "../src/paging.ts";

const search = "https://stac.test/v1/search";
const postLink = (token: string) => ({
  rel: "next",
  href: search,
  method: "POST" as const,
  body: { token },
  merge: true,
});

test("a POST page link, followed, merges its token into the request", () => {
  const request = { method: "POST", body: { limit: 5, collections: ["a"], token: "old" } } as const;
  const next = nextRequest([postLink("new")], request, search);
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
  expect(() => nextRequest([postLink("t")], request, search)).toThrow(expect.objectContaining({ code: "bad-answer" }));
  expect(nextRequest([{ rel: "self", href: search }], request, search)).toBeUndefined();
});
