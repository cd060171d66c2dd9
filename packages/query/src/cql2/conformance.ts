const CQL2 = "http://www.opengis.net/spec/cql2/1.0/conf";

/** The conformance classes of CQL2 (OGC 21-065r2, annex A) that this package fulfils, all but `functions`. */
export const CQL2_CONFORMANCE = [
  `${CQL2}/cql2-text`,
  `${CQL2}/cql2-json`,
  `${CQL2}/basic-cql2`,
  `${CQL2}/advanced-comparison-operators`,
  `${CQL2}/case-insensitive-comparison`,
  `${CQL2}/accent-insensitive-comparison`,
  `${CQL2}/basic-spatial-functions`,
  `${CQL2}/basic-spatial-functions-plus`,
  `${CQL2}/spatial-functions`,
  `${CQL2}/temporal-functions`,
  `${CQL2}/array-functions`,
  `${CQL2}/property-property`,
  `${CQL2}/arithmetic`,
] as const;
