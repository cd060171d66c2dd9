import fc from "fast-check";
import { expect, test } from "vitest";
import { moveLinks } from "../../src/stac/links.ts";

test("whatever a document holds, its links are moved and the rest is left alone", {
  tags: ["Y5"],
}, () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("links", "http://a/v1", "http://a/v1/x", '"', "\\", "[", "]"));
  const link = fc.record({ rel: text, href: fc.oneof(text, fc.constantFrom("http://a/v1", "http://a/v1/c?d=e")) });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(text, tie("tree"), { maxKeys: 3 }),
      fc.record({ links: fc.array(link, { maxLength: 3 }), assets: fc.dictionary(text, link, { maxKeys: 2 }) }),
    ),
  }));
  const moveLink = (link: unknown): unknown => {
    if (typeof link !== "object" || link === null || Array.isArray(link)) return link;
    const { href } = link as { href?: unknown };
    const isBelow = typeof href === "string" && /^http:\/\/a\/v1($|[/?])/.test(href);
    return isBelow ? { ...link, href: href.replace("http://a/v1", "http://b/legacy") } : link;
  };
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
      return [key, key === "links" && Array.isArray(each) ? each.map(moveLink) : move(each)];
    });
    return Object.fromEntries(entries);
  };
  fc.assert(
    fc.property(tree, fc.boolean(), (value, isIndented) => {
      const text = JSON.stringify(value, null, isIndented ? 2 : 0);
      expect(JSON.parse(moveLinks(text, "http://a/v1", "http://b/legacy"))).toEqual(move(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  { name: "numbers keep their form", text: '{"size":1.0e2,"links":[]}' },
  { name: "a key that ends in the word", text: '{"\\"links":[{"href":"http://a/v1/x"}]}' },
  { name: "a text that holds the key", text: '["\\"links\\":[{\\"href\\":\\"http://a/v1\\"}]"]' },
  { name: "links elsewhere", text: '{"links":[{"href":"http://a/v10"}, {"href":1}, null, "http://a/v1"]}' },
  { name: "an array that is too long", text: `{"links":[{"href":"http://a/v1","title":"${"]".repeat(5_000_000)}"}]}` },
])("a document passes as it came: $name", ({ text }) => {
  expect(moveLinks(text, "http://a/v1", "http://b")).toBe(text);
});

test("a text in links that looks like their end is no end", () => {
  const text = '{"links":[{"title":"]} \\\\","href":"http://a/v1/c"},{"title":"\\"]","href":"http://a/v1"}],"n":1.0}';
  expect(moveLinks(text, "http://a/v1", "http://b")).toBe(
    '{"links":[{"title":"]} \\\\","href":"http://b/c"},{"title":"\\"]","href":"http://b"}],"n":1.0}',
  );
});
