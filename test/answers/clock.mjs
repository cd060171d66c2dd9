// Loaded before a service, as `clock.mjs?2026-06-16T12:00:00Z`: its clock starts then, so that windows which end "now"
// are always the same.
const ahead = Date.parse(new URL(import.meta.url).search.slice(1)) - Date.now();
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...values) {
    super(...(values.length === 0 ? [Real.now() + ahead] : values));
  }

  static now() {
    return Real.now() + ahead;
  }

  /** Dates that Node itself makes, such as those of files, are dates too. */
  static [Symbol.hasInstance](value) {
    return Object.prototype.toString.call(value) === "[object Date]";
  }
};
