/**
 * proj4 definitions of EPSG codes. Parameters are those of the EPSG Geodetic Parameter Dataset as written by PROJ 9.1
 * (`projinfo EPSG:n -o PROJ`). Datums that PROJ takes to equal WGS 84 to a metre (ETRS89, NAD83, GDA94, GDA2020,
 * NZGD2000) keep their coordinates, as GDAL does without grids. Others name the one transformation used:
 * 27700: EPSG:1314 (OSGB36 to WGS 84 (6), 2 m); 21781 and 2056: EPSG:1676 (CH1903+ to WGS 84 (1), 1 m);
 * 3979: EPSG:1946 (NAD83(CSRS) to WGS 84 (2), 1 m). Other codes are loaded when they are needed (`epsg-data.ts`).
 */
const DEFINITIONS: Readonly<Record<number, string>> = {
  2056: "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346 +units=m +no_defs",
  2154: "+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  2180: "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  2193: "+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3005: "+proj=aea +lat_0=45 +lon_0=-126 +lat_1=50 +lat_2=58.5 +x_0=1000000 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3006: "+proj=utm +zone=33 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3031: "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  3035: "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3067: "+proj=utm +zone=35 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3112: "+proj=lcc +lat_0=0 +lon_0=134 +lat_1=-18 +lat_2=-36 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3338: "+proj=aea +lat_0=50 +lon_0=-154 +lat_1=55 +lat_2=65 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3395: "+proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  3413: "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  3577: "+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3857: "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs",
  3976: "+proj=stere +lat_0=-90 +lat_ts=-70 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  3978: "+proj=lcc +lat_0=49 +lon_0=-95 +lat_1=49 +lat_2=77 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  3979: "+proj=lcc +lat_0=49 +lon_0=-95 +lat_1=49 +lat_2=77 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=-0.991,1.9072,0.5129,0.02578991,0.0096501,0.01165994,0 +units=m +no_defs",
  3995: "+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  4167: "+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs",
  4258: "+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs",
  4269: "+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs",
  4283: "+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs",
  4326: "+proj=longlat +datum=WGS84 +no_defs",
  5041: "+proj=stere +lat_0=90 +lon_0=0 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84 +units=m +no_defs",
  5042: "+proj=stere +lat_0=-90 +lon_0=0 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84 +units=m +no_defs",
  5070: "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  6350: "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs",
  6933: "+proj=cea +lat_ts=30 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
  7844: "+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs",
  21781:
    "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel +towgs84=674.374,15.056,405.346 +units=m +no_defs",
  27700:
    "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs",
};

/** Blocks of UTM codes, one per zone: first code, first zone, last zone, rest of the definition. */
const UTM_BLOCKS = [
  { code: 32600, first: 1, last: 60, rest: "+datum=WGS84" },
  { code: 32700, first: 1, last: 60, rest: "+south +datum=WGS84" },
  { code: 25800, first: 28, last: 38, rest: "+ellps=GRS80 +towgs84=0,0,0" }, // ETRS89
  { code: 26900, first: 1, last: 23, rest: "+ellps=GRS80 +towgs84=0,0,0" }, // NAD83
  { code: 28300, first: 48, last: 58, rest: "+south +ellps=GRS80 +towgs84=0,0,0" }, // GDA94 / MGA
  { code: 7800, first: 46, last: 59, rest: "+south +ellps=GRS80 +towgs84=0,0,0" }, // GDA2020 / MGA
] as const;

/** The proj4 definition of an EPSG code that needs no loading; undefined where there is none. */
export function builtInDefinition(code: number): string | undefined {
  for (const block of UTM_BLOCKS) {
    const zone = code - block.code;
    if (zone >= block.first && zone <= block.last) return `+proj=utm +zone=${zone} ${block.rest} +units=m +no_defs`;
  }
  return DEFINITIONS[code];
}

/** All EPSG codes known without registering or loading any, ascending. */
export function listEpsgCodes(): number[] {
  const utm = UTM_BLOCKS.flatMap(({ code, first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => code + first + i),
  );
  return [...Object.keys(DEFINITIONS).map(Number), ...utm].sort((a, b) => a - b);
}
