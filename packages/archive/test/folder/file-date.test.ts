import { describe, expect, test } from "vitest";
import { fileDate } from "../../src/folder/file-date.ts";

describe("a date of a file's name", () => {
  test.each([
    ["20200219", "2020-02-19T00:00:00Z"],
    ["2020-02-19", "2020-02-19T00:00:00Z"],
    ["2021168T100559", "2021-06-17T10:05:59Z"],
    ["20200219T112119", "2020-02-19T11:21:19Z"],
    ["2020-02-19T11:21:19.024Z", "2020-02-19T11:21:19.024Z"],
    ["2020366", "2020-12-31T00:00:00Z"],
  ])("%s is %s", (text, expected) => {
    expect(fileDate(text)).toBe(expected);
  });

  test.each(["20200230", "2021366", "00000000", "20200219T256199", "12345678", "2020", ""])("%s is none", (text) => {
    expect(fileDate(text)).toBeUndefined();
  });
});
