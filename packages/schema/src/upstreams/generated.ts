// Written by `pnpm run generate` from upstreams/*.json. Do not edit.
import type { UpstreamKindFile } from "../file/upstream-kind-file.ts";

/** The built-in kinds of upstreams, by id. */
export const UPSTREAM_KIND_FILES: readonly UpstreamKindFile[] = [
  {
    "kind": "upstream",
    "id": "cmr-stac",
    "title": "NASA CMR-STAC",
    "description": "NASA's Common Metadata Repository as STAC. It refuses sort fields other than these with 400, reads lt and gt of a cloud cover as lte and gte, ignores every other condition, finds items whose time overlaps the interval, and ignores the holes of polygons. Its links to further pages are GET, with the whole search in the address; the cursor in them works in a body too. It answers 500 and 503 for hours of some days.",
    "hosts": [
      "cmr.earthdata.nasa.gov"
    ],
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "eo:cloud_cover": "properties.eo:cloud_cover"
      },
      "otherProperties": false,
      "missing": "unknown"
    },
    "conditions": {
      "query": {
        "eo:cloud_cover": [
          "gte",
          "lte"
        ]
      },
      "cql2": false,
      "time": "overlap"
    },
    "area": {
      "intersects": false,
      "margin": 0.01,
      "longitudes": "globe"
    },
    "paging": {
      "tokens": "own",
      "cursor": "cursor",
      "size": 250,
      "counts": true
    },
    "rate": {
      "perSecond": 5,
      "atOnce": 4
    },
    "sources": [
      "https://github.com/nasa/cmr-stac"
    ]
  },
  {
    "kind": "upstream",
    "id": "copernicus-dataspace",
    "title": "Copernicus Data Space",
    "description": "ESA's catalog, a pgstac. More than five requests a second are 429 with Retry-After; where all matches are in an answer it has neither a count nor a link.",
    "hosts": [
      "stac.dataspace.copernicus.eu"
    ],
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "collection": "collection"
      },
      "otherProperties": true,
      "missing": "unknown"
    },
    "conditions": {
      "query": "any",
      "cql2": true,
      "time": "datetime"
    },
    "area": {
      "intersects": true,
      "longitudes": "plane"
    },
    "paging": {
      "tokens": "own",
      "size": 250,
      "counts": false
    },
    "rate": {
      "perSecond": 5,
      "atOnce": 4
    },
    "sources": [
      "https://documentation.dataspace.copernicus.eu/APIs/STAC.html",
      "https://github.com/stac-utils/pgstac"
    ]
  },
  {
    "kind": "upstream",
    "id": "earth-search",
    "title": "Earth Search v1",
    "description": "Element 84's catalog of open data on AWS, a stac-server. Its tokens are the sort values of the last item, its counts are exact into the hundreds of millions, and answers above 6 MB fail. A CQL2 filter is ignored in silence.",
    "hosts": [
      "earth-search.aws.element84.com"
    ],
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "collection": "collection"
      },
      "otherProperties": true,
      "missing": "last"
    },
    "conditions": {
      "query": "any",
      "cql2": false,
      "time": "datetime"
    },
    "area": {
      "intersects": true,
      "longitudes": "globe"
    },
    "paging": {
      "tokens": "sort-values",
      "size": 250,
      "counts": true
    },
    "rate": {
      "perSecond": 20,
      "atOnce": 10
    },
    "sources": [
      "https://github.com/stac-utils/stac-server",
      "https://github.com/Element84/earth-search"
    ]
  },
  {
    "kind": "upstream",
    "id": "landsatlook",
    "title": "USGS LandsatLook",
    "description": "The Landsat archive of the U.S. Geological Survey, an older stac-server. What its paging tokens are is seen from its pages.",
    "hosts": [
      "landsatlook.usgs.gov"
    ],
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "collection": "collection"
      },
      "otherProperties": true,
      "missing": "last"
    },
    "conditions": {
      "query": "any",
      "cql2": false,
      "time": "datetime"
    },
    "area": {
      "intersects": true,
      "longitudes": "globe"
    },
    "paging": {
      "size": 250,
      "counts": true
    },
    "rate": {
      "perSecond": 10,
      "atOnce": 8
    },
    "sources": [
      "https://github.com/stac-utils/stac-server"
    ]
  },
  {
    "kind": "upstream",
    "id": "planetary-computer",
    "title": "Microsoft Planetary Computer",
    "description": "A pgstac catalog. It counts nothing, answers 250 items without a limit, repeats items on several pages now and then, refuses boxes beyond 180 degrees, and answers some complex areas with an HTML page. A search over its time limit is 504 and text.",
    "hosts": [
      "planetarycomputer.microsoft.com"
    ],
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "collection": "collection"
      },
      "otherProperties": true,
      "missing": "unknown"
    },
    "conditions": {
      "query": "any",
      "cql2": true,
      "time": "datetime"
    },
    "area": {
      "intersects": true,
      "longitudes": "plane"
    },
    "paging": {
      "tokens": "own",
      "size": 250,
      "counts": false
    },
    "rate": {
      "perSecond": 10,
      "atOnce": 8
    },
    "sources": [
      "https://github.com/stac-utils/pgstac",
      "https://github.com/microsoft/PlanetaryComputer"
    ]
  },
  {
    "kind": "upstream",
    "id": "stac-api",
    "title": "STAC API",
    "description": "A STAC API of which nothing more is known: what its conformance names is believed, where items without a value stand is not known, and what its paging tokens are is seen from its pages.",
    "sort": {
      "fields": {
        "datetime": "properties.datetime",
        "id": "id",
        "collection": "collection"
      },
      "otherProperties": true,
      "missing": "unknown"
    },
    "conditions": {
      "query": "any",
      "cql2": true,
      "time": "datetime"
    },
    "area": {
      "intersects": true,
      "longitudes": "plane"
    },
    "paging": {
      "size": 250,
      "counts": true
    },
    "rate": {
      "atOnce": 16
    }
  }
];
