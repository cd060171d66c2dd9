import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/tools/characters.ts";
import { element, elementWith, xmlDocument } from "../../src/answer/xml.ts";

const READ = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[each.get("a"), each.text or ""] for each in root]))
`;
test.skipIf(!existsSync("/usr/bin/python3"))(
  "texts and attributes of any characters are read back by another parser",
  () => {
    const any = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string(),
      fc.constantFrom("a\r\nb\t", "]]>", "<!--", "&amp;", "\u0000\u001F\uFFFE\uD800"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(any, any), { minLength: 50, maxLength: 100 }), (rows) => {
        const document = xmlDocument(element("rows", ...rows.map(([a, text]) => elementWith("row", { a }, text))));
        const read = JSON.parse(execFileSync("/usr/bin/python3", ["-c", READ], { input: document, encoding: "utf8" }));
        const held = (text: string): string =>
          [...text.toWellFormed()]
            .map((character) =>
              /^[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]$/u.test(character) ? character : "\uFFFD",
            )
            .join("");
        expect(read).toEqual(rows.map(([a, text]) => [held(a), held(text)]));
      }),
      { numRuns: 20 },
    );
  },
);
