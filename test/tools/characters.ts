import fc from "fast-check";

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Any character of Unicode, as unit of strings. The unit `binary` of fast-check lists a million of them before the first string. */
export const anyCharacter = fc
  .nat(0x10ffff)
  .filter((code) => !isSurrogate(code))
  .map(
    (code) => String.fromCodePoint(code),
    (character) => {
      const code = String(character).codePointAt(0) ?? 0;
      if (String.fromCodePoint(code) !== character) throw new Error(`Expected a character, got ${character}.`);
      return code;
    },
  );
