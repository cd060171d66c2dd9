// Written by `pnpm run generate` from collections.json, collections/*.json and presets.json. Do not edit.
import type { CollectionFile } from "../file/collection-file.ts";
import type { VirtualCollectionFile } from "../file/virtual-file.ts";
import type { PresetFile } from "../preset/preset.ts";

export const BUILT_IN_IDS = ["sentinel-2-l2a","landsat-ot-l2","landsat-etm-l2","landsat-tm-l2","dem","hls","sentinel-1-rtc","landsat-ot-l1","landsat-etm-l1","landsat-tm-l1","landsat-mss-l1","sentinel-2-l1c"] as const;

/** The built-in collections as data, in the order that GET /v1/collections lists them. */
export const COLLECTION_FILES: readonly CollectionFile[] = [
  {
    "id": "sentinel-2-l2a",
    "title": "Sentinel-2 Level-2A",
    "description": "Surface reflectance of the Sentinel-2 MultiSpectral Instrument, atmospherically corrected (Sen2Cor), with a scene classification. Ten, twenty and sixty metre bands on UTM tiles of 110 km. The digital numbers of processing baseline 04.00 and later carry an offset of 1000.",
    "keywords": [
      "sentinel-2",
      "msi",
      "copernicus",
      "esa",
      "surface reflectance",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://dataspace.copernicus.eu/terms-and-conditions",
      "title": "Terms and conditions for the use of Copernicus Sentinel data",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "European Space Agency",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://sentiwiki.copernicus.eu/web/s2-mission"
      },
      {
        "name": "Element 84",
        "roles": [
          "processor"
        ],
        "url": "https://element84.com/"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/sentinel-2-l2a-cogs/"
      }
    ],
    "doi": "10.5270/S2_-znk9xsj",
    "attribution": "Contains modified Copernicus Sentinel data {years}",
    "start": "2015-06-27T10:25:31.456Z",
    "platforms": [
      "sentinel-2a",
      "sentinel-2b",
      "sentinel-2c"
    ],
    "constellation": "sentinel-2",
    "instruments": [
      "msi"
    ],
    "aliases": [
      {
        "id": "S2L2A",
        "source": "Sentinel Hub, earlier data type name",
        "group": "sentinel-hub"
      },
      {
        "id": "SENTINEL2_L2A",
        "source": "sentinelhub-py and openEO of CDSE and Terrascope",
        "group": "sentinel-hub"
      },
      {
        "id": "sentinel-2-c1-l2a",
        "source": "Earth Search v1, Collection 1",
        "group": "earth-search"
      },
      {
        "id": "sentinel-s2-l2a-cogs",
        "source": "Earth Search v0",
        "group": "earth-search"
      },
      {
        "id": "sentinel-s2-l2a",
        "source": "AWS open data bucket",
        "group": "aws"
      },
      {
        "id": "S2MSI2A",
        "source": "ESA product type",
        "group": "esa"
      },
      {
        "id": "S2_MSI_L2A",
        "source": "EODAG product type",
        "group": "eodag"
      },
      {
        "id": "s2_l2a",
        "source": "Digital Earth Africa",
        "group": "open-data-cube"
      },
      {
        "id": "COPERNICUS/S2_SR_HARMONIZED",
        "source": "Google Earth Engine",
        "group": "earth-engine"
      },
      {
        "id": "COPERNICUS/S2_SR",
        "source": "Google Earth Engine, without harmonization",
        "group": "earth-engine"
      }
    ],
    "memberOf": [
      {
        "collection": "optical-sr",
        "grid": "mgrs",
        "tile": [
          "s2:mgrs_tile"
        ],
        "processing": "s2:processing_baseline"
      }
    ],
    "upstream": {
      "name": "default",
      "collection": "sentinel-2-c1-l2a",
      "fallbacks": [
        {
          "collection": "sentinel-2-l2a",
          "tile": [
            "s2:mgrs_tile"
          ],
          "times": [
            [
              "2015-06-27T00:00:00Z",
              "2020-01-01T00:00:00Z"
            ],
            [
              "2022-01-01T00:00:00Z",
              "2023-01-01T00:00:00Z"
            ]
          ]
        }
      ],
      "otherCollections": [
        "sentinel-2-pre-c1-l2a",
        "s2_l2a_c1"
      ],
      "idPatterns": [
        "^S2[A-D]_.*(_L2A|MSIL2A)"
      ],
      "platformFromId": [
        {
          "pattern": "^S2([A-D])_",
          "platform": "sentinel-2$1"
        }
      ],
      "absentProperties": [
        "gsd"
      ],
      "instrumentsFromId": [
        {
          "pattern": "^S2[A-D]_",
          "instruments": [
            "msi"
          ]
        }
      ],
      "epsgCodes": "^32[67](0[1-9]|[1-5]\\d|60)$",
      "assets": {
        "coastal": "B01",
        "blue": "B02",
        "green": "B03",
        "red": "B04",
        "rededge1": "B05",
        "rededge2": "B06",
        "rededge3": "B07",
        "nir": "B08",
        "nir08": "B8A",
        "nir09": "B09",
        "swir16": "B11",
        "swir22": "B12",
        "scl": "SCL",
        "aot": "AOT",
        "wvp": "WVP",
        "cloud": "CLD",
        "snow": "SNW",
        "visual": "visual",
        "preview": "preview",
        "thumbnail": "thumbnail",
        "granule_metadata": "granule_metadata",
        "tileinfo_metadata": "tileinfo_metadata",
        "product_metadata": "product_metadata"
      },
      "otherAssets": {
        "B01_60m": "B01",
        "B02_10m": "B02",
        "B03_10m": "B03",
        "B04_10m": "B04",
        "B05_20m": "B05",
        "B06_20m": "B06",
        "B07_20m": "B07",
        "B08_10m": "B08",
        "B8A_20m": "B8A",
        "B09_60m": "B09",
        "B11_20m": "B11",
        "B12_20m": "B12",
        "SCL_20m": "SCL",
        "AOT_20m": "AOT",
        "WVP_20m": "WVP",
        "TCI_10m": "visual",
        "granule-metadata": "granule_metadata",
        "product-metadata": "product_metadata"
      }
    },
    "properties": [
      {
        "kind": "mgrs-tile",
        "property": "s2:mgrs_tile",
        "prefixes": [
          "mgrs",
          "sentinel"
        ],
        "gridCode": "grid:code"
      },
      {
        "kind": "first-of",
        "property": "s2:processing_baseline",
        "from": [
          {
            "property": "s2:processing_baseline"
          },
          {
            "property": "sentinel:processing_baseline"
          },
          {
            "property": "s2:product_uri",
            "pattern": "_N(\\d\\d)(\\d\\d)_",
            "value": "$1.$2"
          },
          {
            "property": "sentinel:product_id",
            "pattern": "_N(\\d\\d)(\\d\\d)_",
            "value": "$1.$2"
          },
          {
            "property": "processing:version",
            "pattern": "^(\\d\\d\\.\\d\\d)$"
          },
          {
            "property": "id",
            "pattern": "_N(\\d\\d)(\\d\\d)_",
            "value": "$1.$2"
          }
        ]
      },
      {
        "kind": "first-of",
        "property": "earthsearch:boa_offset_applied",
        "from": [
          {
            "property": "earthsearch:boa_offset_applied"
          },
          {
            "property": "sentinel:boa_offset_applied"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "s2:mgrs_tile",
        "kind": "string",
        "title": "Sentinel-2 tile",
        "upstream": {
          "kind": "mgrs-grid-code",
          "property": "grid:code"
        },
        "sortBy": [
          "mgrs:utm_zone",
          "mgrs:latitude_band",
          "mgrs:grid_square"
        ]
      },
      {
        "name": "s2:processing_baseline",
        "kind": "string",
        "title": "Sentinel-2 processing baseline",
        "upstream": {
          "kind": "same"
        }
      },
      {
        "name": "s2:nodata_pixel_percentage",
        "kind": "number",
        "title": "Pixels without data, percent",
        "minimum": 0,
        "maximum": 100,
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/sentinel-2/v1.0.0/schema.json",
        "prefix": "s2:",
        "others": false,
        "fields": {
          "s2:processing_baseline": {
            "type": "string",
            "pattern": "^\\d\\d\\.\\d\\d$"
          },
          "s2:water_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:snow_ice_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:vegetation_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:thin_cirrus_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:cloud_shadow_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:nodata_pixel_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:unclassified_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:dark_features_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:not_vegetated_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:degraded_msi_data_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:high_proba_clouds_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:medium_proba_clouds_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:saturated_defective_pixel_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:mean_solar_zenith": {
            "type": "number",
            "minimum": 0,
            "maximum": 180
          },
          "s2:mean_solar_azimuth": {
            "type": "number",
            "minimum": 0,
            "maximum": 180
          },
          "s2:reflectance_conversion_factor": {
            "type": "number"
          },
          "s2:tile_id": {
            "type": "string"
          },
          "s2:granule_id": {
            "type": "string"
          },
          "s2:datatake_id": {
            "type": "string"
          },
          "s2:product_uri": {
            "type": "string"
          },
          "s2:datastrip_id": {
            "type": "string"
          },
          "s2:product_type": {
            "type": "string"
          },
          "s2:datatake_type": {
            "type": "string"
          },
          "s2:generation_time": {
            "type": "string"
          },
          "s2:mgrs_tile": {
            "type": "string"
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "sentinel-cogs",
          "region": "us-west-2",
          "requesterPays": false
        },
        {
          "name": "e84-earth-search-sentinel-data",
          "region": "us-west-2",
          "requesterPays": false
        },
        {
          "name": "sentinel-s2-l2a",
          "region": "eu-central-1",
          "requesterPays": true
        },
        {
          "name": "sentinel-s2-l1c",
          "region": "eu-central-1",
          "requesterPays": true
        },
        {
          "name": "deafrica-*",
          "region": "af-south-1",
          "requesterPays": false
        },
        {
          "name": "dea-public-data*",
          "region": "ap-southeast-2",
          "requesterPays": false
        }
      ],
      "servers": [
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "sentinel-cogs.s3.us-west-2.amazonaws.com",
        "sentinel-cogs.s3.amazonaws.com",
        "e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com",
        "s3://sentinel-cogs",
        "s3://e84-earth-search-sentinel-data",
        "s3://deafrica-sentinel-2-*",
        "sentinel2l2a01.blob.core.windows.net"
      ]
    },
    "offsetRules": {
      "processing-baseline": {
        "kind": "by-processing-baseline",
        "description": "By s2:processing_baseline of the item, never by acquisition date: -0.1 from 04.00 on, 0 before; 0 too where earthsearch:boa_offset_applied is true.",
        "property": "s2:processing_baseline",
        "from": "04.00",
        "appliedFlags": [
          "earthsearch:boa_offset_applied"
        ],
        "product": {
          "property": "s2:product_uri",
          "pattern": "_N(\\d\\d)(\\d\\d)_"
        }
      }
    },
    "bands": [
      {
        "name": "B01",
        "kind": "spectral",
        "commonName": "coastal",
        "description": "Coastal aerosol",
        "aliases": [
          "B1",
          "B01_60m"
        ],
        "centerWavelength": 0.4427,
        "fullWidthHalfMax": 0.021,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.03,
          0.055,
          0.018,
          0.022,
          0.025,
          0.035,
          0.055,
          0.05,
          0.085,
          0.12,
          0.075,
          0.09
        ],
        "crossSensor": true
      },
      {
        "name": "B02",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [
          "B2",
          "B02_10m"
        ],
        "centerWavelength": 0.4924,
        "fullWidthHalfMax": 0.066,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.028,
          0.062,
          0.02,
          0.024,
          0.028,
          0.042,
          0.07,
          0.06,
          0.11,
          0.16,
          0.085,
          0.105
        ],
        "crossSensor": true
      },
      {
        "name": "B03",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [
          "B3",
          "B03_10m"
        ],
        "centerWavelength": 0.5598,
        "fullWidthHalfMax": 0.036,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.024,
          0.08,
          0.036,
          0.05,
          0.065,
          0.075,
          0.105,
          0.08,
          0.155,
          0.235,
          0.095,
          0.125
        ],
        "crossSensor": true
      },
      {
        "name": "B04",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [
          "B4",
          "B04_10m"
        ],
        "centerWavelength": 0.6646,
        "fullWidthHalfMax": 0.031,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.014,
          0.065,
          0.025,
          0.028,
          0.032,
          0.058,
          0.13,
          0.095,
          0.2,
          0.305,
          0.105,
          0.14
        ],
        "crossSensor": true
      },
      {
        "name": "B05",
        "kind": "spectral",
        "commonName": "rededge071",
        "description": "Vegetation red edge 1",
        "aliases": [
          "B5",
          "rededge1",
          "B05_20m"
        ],
        "centerWavelength": 0.7041,
        "fullWidthHalfMax": 0.015,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.012,
          0.055,
          0.06,
          0.085,
          0.095,
          0.115,
          0.165,
          0.115,
          0.23,
          0.335,
          0.11,
          0.16
        ]
      },
      {
        "name": "B06",
        "kind": "spectral",
        "commonName": "rededge075",
        "description": "Vegetation red edge 2",
        "aliases": [
          "B6",
          "rededge2",
          "B06_20m"
        ],
        "centerWavelength": 0.7405,
        "fullWidthHalfMax": 0.015,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.011,
          0.035,
          0.15,
          0.29,
          0.33,
          0.24,
          0.215,
          0.13,
          0.25,
          0.35,
          0.118,
          0.185
        ]
      },
      {
        "name": "B07",
        "kind": "spectral",
        "commonName": "rededge078",
        "description": "Vegetation red edge 3",
        "aliases": [
          "B7",
          "rededge3",
          "B07_20m"
        ],
        "centerWavelength": 0.7828,
        "fullWidthHalfMax": 0.02,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.01,
          0.034,
          0.185,
          0.37,
          0.43,
          0.285,
          0.24,
          0.145,
          0.27,
          0.37,
          0.125,
          0.2
        ]
      },
      {
        "name": "B08",
        "kind": "spectral",
        "commonName": "nir",
        "description": "Near infrared, broad",
        "aliases": [
          "B8",
          "B08_10m"
        ],
        "centerWavelength": 0.8328,
        "fullWidthHalfMax": 0.106,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.01,
          0.03,
          0.2,
          0.39,
          0.45,
          0.3,
          0.255,
          0.155,
          0.285,
          0.385,
          0.13,
          0.21
        ],
        "notes": "Broader than the near infrared of Landsat; B8A (nir08) is its counterpart."
      },
      {
        "name": "B8A",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared, narrow",
        "aliases": [
          "B08A",
          "B8A_20m"
        ],
        "centerWavelength": 0.8647,
        "fullWidthHalfMax": 0.021,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.028,
          0.21,
          0.405,
          0.465,
          0.315,
          0.275,
          0.17,
          0.305,
          0.4,
          0.138,
          0.22
        ],
        "crossSensor": true
      },
      {
        "name": "B09",
        "kind": "spectral",
        "commonName": "nir09",
        "description": "Water vapour",
        "aliases": [
          "B9",
          "B09_60m"
        ],
        "centerWavelength": 0.9451,
        "fullWidthHalfMax": 0.02,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.026,
          0.215,
          0.41,
          0.47,
          0.32,
          0.28,
          0.175,
          0.31,
          0.405,
          0.14,
          0.225
        ]
      },
      {
        "name": "B11",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "aliases": [
          "B11_20m"
        ],
        "centerWavelength": 1.6137,
        "fullWidthHalfMax": 0.091,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.006,
          0.012,
          0.095,
          0.18,
          0.2,
          0.235,
          0.33,
          0.22,
          0.38,
          0.47,
          0.15,
          0.225
        ],
        "crossSensor": true
      },
      {
        "name": "B12",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "aliases": [
          "B12_20m"
        ],
        "centerWavelength": 2.2024,
        "fullWidthHalfMax": 0.175,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.004,
          0.008,
          0.042,
          0.075,
          0.09,
          0.13,
          0.225,
          0.18,
          0.33,
          0.43,
          0.14,
          0.195
        ],
        "crossSensor": true
      },
      {
        "name": "SCL",
        "kind": "class",
        "description": "Scene classification map",
        "aliases": [
          "scl",
          "SCL_20m"
        ],
        "gsd": 20,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "notes": "Values 0 to 11; see the mask crosswalk."
      },
      {
        "name": "AOT",
        "kind": "ancillary",
        "description": "Aerosol optical thickness at 550 nm",
        "aliases": [
          "aot",
          "AOT_20m"
        ],
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.001,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "notes": "scale × DN is the optical thickness, without a unit."
      },
      {
        "name": "WVP",
        "kind": "ancillary",
        "description": "Water vapour column",
        "aliases": [
          "wvp",
          "WVP_20m"
        ],
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.001,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "notes": "scale × DN is the column in centimetres."
      },
      {
        "name": "CLD",
        "kind": "ancillary",
        "pseudoBand": "cloud_probability",
        "description": "Cloud probability",
        "aliases": [
          "cloud",
          "CLD_20m"
        ],
        "gsd": 20,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN",
        "notes": "Percent. The upstream declares 0 as nodata, though 0 is also a probability."
      },
      {
        "name": "SNW",
        "kind": "ancillary",
        "description": "Snow probability",
        "aliases": [
          "snow",
          "SNW_20m"
        ],
        "gsd": 20,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN",
        "notes": "Percent. The upstream declares 0 as nodata, though 0 is also a probability."
      }
    ],
    "mask": {
      "kind": "class-table",
      "source": "scl",
      "band": "SCL",
      "classes": [
        "nodata",
        "saturated_defective",
        "dark_terrain_shadow",
        "cloud_shadow",
        "clear",
        "clear",
        "water",
        "unclassified",
        "cloud",
        "cloud",
        "cirrus",
        "snow_ice"
      ],
      "movable": [
        {
          "value": 7,
          "setting": "scl7"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask",
      "cloud_probability"
    ],
    "units": [
      "REFLECTANCE",
      "DN"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "offset_removed",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0001 × DN + offset, offset by processing baseline.",
        "offset_removed": "int16: DN - 1000 from processing baseline 04.00 on, DN before; at most 32767; nodata -32768. reflectance = 0.0001 × value.",
        "bandpass_adjusted": "Reflectance only, float32: slope × reflectance + offset, by platform and band, as Landsat 8 OLI would measure it. Bands without coefficients (B05, B06, B07, B08, B09) are not given at this level.",
        "nbar": "Reflectance only, float32: bandpass_adjusted × c-factor, to nadir view and the solar zenith of Zhang et al. 2016 at the pixel's latitude; angles from the item's granule metadata. Bands without kernel weights are not given at this level."
      },
      "bandpass": [
        {
          "platforms": [
            "sentinel-2a"
          ],
          "source": "NASA, Harmonized Landsat Sentinel-2 (HLS) Product User Guide v2.0, bandpass adjustment: OLI = slope × MSI + offset.",
          "bands": {
            "B01": {
              "slope": 0.9959,
              "offset": -0.0002
            },
            "B02": {
              "slope": 0.9778,
              "offset": -0.004
            },
            "B03": {
              "slope": 1.0053,
              "offset": -0.0009
            },
            "B04": {
              "slope": 0.9765,
              "offset": 0.0009
            },
            "B8A": {
              "slope": 0.9983,
              "offset": -0.0001
            },
            "B11": {
              "slope": 0.9987,
              "offset": -0.0011
            },
            "B12": {
              "slope": 1.003,
              "offset": -0.0012
            }
          }
        },
        {
          "platforms": [
            "sentinel-2b"
          ],
          "source": "NASA, Harmonized Landsat Sentinel-2 (HLS) Product User Guide v2.0, bandpass adjustment: OLI = slope × MSI + offset.",
          "bands": {
            "B01": {
              "slope": 0.9959,
              "offset": -0.0002
            },
            "B02": {
              "slope": 0.9778,
              "offset": -0.004
            },
            "B03": {
              "slope": 1.0075,
              "offset": -0.0008
            },
            "B04": {
              "slope": 0.9761,
              "offset": 0.001
            },
            "B8A": {
              "slope": 0.9966,
              "offset": 0
            },
            "B11": {
              "slope": 1,
              "offset": -0.0003
            },
            "B12": {
              "slope": 0.9867,
              "offset": 0.0004
            }
          }
        },
        {
          "platforms": [
            "sentinel-2c"
          ],
          "source": "NASA, Harmonized Landsat Sentinel-2 (HLS) Product User Guide v2.0, bandpass adjustment: OLI = slope × MSI + offset.",
          "notes": "No coefficients of Sentinel-2C are published there: those of Sentinel-2B are used.",
          "bands": {
            "B01": {
              "slope": 0.9959,
              "offset": -0.0002
            },
            "B02": {
              "slope": 0.9778,
              "offset": -0.004
            },
            "B03": {
              "slope": 1.0075,
              "offset": -0.0008
            },
            "B04": {
              "slope": 0.9761,
              "offset": 0.001
            },
            "B8A": {
              "slope": 0.9966,
              "offset": 0
            },
            "B11": {
              "slope": 1,
              "offset": -0.0003
            },
            "B12": {
              "slope": 0.9867,
              "offset": 0.0004
            }
          }
        }
      ],
      "nbar": {
        "source": "Roy et al. 2016, doi:10.1016/j.rse.2016.01.023: one set of weights for all of the globe, from a year of MODIS data.",
        "notes": "Those of the narrow near infrared are for B8A. Bands without weights there, or without bandpass coefficients, are not given at this level.",
        "angles": {
          "kind": "granule-metadata",
          "asset": "granule_metadata",
          "bandIds": {
            "B02": 1,
            "B03": 2,
            "B04": 3,
            "B8A": 8,
            "B11": 11,
            "B12": 12
          }
        },
        "bands": {
          "B02": {
            "iso": 0.0774,
            "vol": 0.0372,
            "geo": 0.0079
          },
          "B03": {
            "iso": 0.1306,
            "vol": 0.058,
            "geo": 0.0178
          },
          "B04": {
            "iso": 0.169,
            "vol": 0.0574,
            "geo": 0.0227
          },
          "B8A": {
            "iso": 0.3093,
            "vol": 0.1535,
            "geo": 0.033
          },
          "B11": {
            "iso": 0.343,
            "vol": 0.1154,
            "geo": 0.0453
          },
          "B12": {
            "iso": 0.2658,
            "vol": 0.0639,
            "geo": 0.0387
          }
        }
      }
    },
    "zoom": {
      "min": 7,
      "max": 14
    },
    "recipes": {
      "true-color": {
        "assets": [
          "visual"
        ],
        "minzoom": 7,
        "maxzoom": 14
      },
      "false-color": {
        "assets": [
          "nir",
          "red",
          "green"
        ],
        "rescale": [
          1000,
          5000
        ],
        "minzoom": 7,
        "maxzoom": 14
      },
      "ndvi": {
        "assets": [
          "nir",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 14
      },
      "ndwi": {
        "assets": [
          "green",
          "nir"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 14
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 14
      }
    },
    "sources": [
      "Wavelengths: ESA, Sentinel-2 MSI User Guide, spectral bands of S2A (from S2-SRF, COPE-GSEG-EOPG-TN-15-0007).",
      "Scale and offset: ESA, Sentinel-2 Products Specification Document, BOA_QUANTIFICATION_VALUE 10000 and BOA_ADD_OFFSET -1000.",
      "Scene classes: ESA, Sen2Cor Software User Manual, Level-2A scene classification."
    ]
  },
  {
    "id": "landsat-ot-l2",
    "title": "Landsat 8-9 Collection 2 Level-2",
    "description": "Surface reflectance of the Operational Land Imager and surface temperature of the Thermal Infrared Sensor on Landsat 8 and 9, at 30 m on UTM and polar stereographic scenes of 185 km, with per-pixel quality bits. Scenes processed to L2SR have no surface temperature.",
    "keywords": [
      "landsat",
      "oli",
      "tirs",
      "usgs",
      "nasa",
      "surface reflectance",
      "surface temperature",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-2-science-products"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P9OGBGM6",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "2013-03-18T15:58:14Z",
    "platforms": [
      "landsat-8",
      "landsat-9"
    ],
    "constellation": "landsat",
    "instruments": [
      "oli",
      "tirs"
    ],
    "aliases": [
      {
        "id": "LOTL2",
        "source": "Sentinel Hub, earlier data type name",
        "group": "sentinel-hub"
      },
      {
        "id": "LANDSAT_OT_L2",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      },
      {
        "id": "landsat-c2-l2",
        "source": "Earth Search v1 and Planetary Computer",
        "group": "earth-search"
      },
      {
        "id": "landsat-c2l2-sr",
        "source": "USGS STAC server, surface reflectance",
        "group": "usgs"
      },
      {
        "id": "landsat-c2l2-st",
        "source": "USGS STAC server, surface temperature",
        "group": "usgs"
      },
      {
        "id": "landsat_ot_c2_l2",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT_C2L2",
        "source": "EODAG product type",
        "group": "eodag"
      },
      {
        "id": "landsat-8-c2-l2",
        "source": "Planetary Computer, earlier collection",
        "group": "planetary-computer",
        "query": {
          "platform": {
            "eq": "landsat-8"
          }
        }
      },
      {
        "id": "ls8_sr",
        "source": "Digital Earth Africa",
        "group": "open-data-cube",
        "query": {
          "platform": {
            "eq": "landsat-8"
          }
        }
      },
      {
        "id": "ls9_sr",
        "source": "Digital Earth Africa",
        "group": "open-data-cube",
        "query": {
          "platform": {
            "eq": "landsat-9"
          }
        }
      },
      {
        "id": "LANDSAT/LC08/C02/T1_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-8"
          },
          "landsat:collection_category": {
            "eq": "T1"
          }
        }
      },
      {
        "id": "LANDSAT/LC08/C02/T2_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-8"
          },
          "landsat:collection_category": {
            "eq": "T2"
          }
        }
      },
      {
        "id": "LANDSAT/LC09/C02/T1_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-9"
          },
          "landsat:collection_category": {
            "eq": "T1"
          }
        }
      },
      {
        "id": "LANDSAT/LC09/C02/T2_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-9"
          },
          "landsat:collection_category": {
            "eq": "T2"
          }
        }
      }
    ],
    "memberOf": [
      {
        "collection": "optical-sr",
        "grid": "wrs2",
        "tile": [
          "landsat:wrs_path",
          "landsat:wrs_row"
        ]
      }
    ],
    "upstream": {
      "name": "default",
      "collection": "landsat-c2-l2",
      "otherCollections": [
        "landsat-c2l2-sr",
        "landsat-c2l2-st"
      ],
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LC0[89]_L2S[PR]_"
      ],
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "otherAssets": {
        "MTL.json": "mtl.json",
        "MTL.txt": "mtl.txt",
        "MTL.xml": "mtl.xml",
        "ANG.txt": "ang",
        "ANG": "ang"
      },
      "instrumentsFromId": [
        {
          "pattern": "^LC0",
          "instruments": [
            "oli",
            "tirs"
          ]
        },
        {
          "pattern": "^LO0",
          "instruments": [
            "oli"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "coastal": "SR_B1",
        "blue": "SR_B2",
        "green": "SR_B3",
        "red": "SR_B4",
        "nir08": "SR_B5",
        "swir16": "SR_B6",
        "swir22": "SR_B7",
        "lwir11": "ST_B10",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "qa_aerosol": "SR_QA_AEROSOL",
        "qa": "ST_QA",
        "atran": "ST_ATRAN",
        "cdist": "ST_CDIST",
        "drad": "ST_DRAD",
        "urad": "ST_URAD",
        "trad": "ST_TRAD",
        "emis": "ST_EMIS",
        "emsd": "ST_EMSD",
        "mtl.json": "mtl.json",
        "mtl.txt": "mtl.txt",
        "mtl.xml": "mtl.xml",
        "ang": "ang",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L2SP|L2SR)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        },
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat",
        "landsateuwest.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "SR_B1",
        "kind": "spectral",
        "commonName": "coastal",
        "description": "Coastal aerosol",
        "aliases": [
          "B1",
          "B01",
          "OLI_B1"
        ],
        "centerWavelength": 0.443,
        "fullWidthHalfMax": 0.016,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.03,
          0.055,
          0.018,
          0.022,
          0.025,
          0.035,
          0.055,
          0.05,
          0.085,
          0.12,
          0.075,
          0.09
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B2",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [
          "B2",
          "B02",
          "OLI_B2"
        ],
        "centerWavelength": 0.482,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.028,
          0.062,
          0.02,
          0.024,
          0.028,
          0.042,
          0.07,
          0.06,
          0.11,
          0.16,
          0.085,
          0.105
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B3",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [
          "B3",
          "B03",
          "OLI_B3"
        ],
        "centerWavelength": 0.5615,
        "fullWidthHalfMax": 0.057,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.024,
          0.08,
          0.036,
          0.05,
          0.065,
          0.075,
          0.105,
          0.08,
          0.155,
          0.235,
          0.095,
          0.125
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B4",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [
          "B4",
          "B04",
          "OLI_B4"
        ],
        "centerWavelength": 0.6545,
        "fullWidthHalfMax": 0.037,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.014,
          0.065,
          0.025,
          0.028,
          0.032,
          0.058,
          0.13,
          0.095,
          0.2,
          0.305,
          0.105,
          0.14
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B5",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "B5",
          "B05",
          "OLI_B5",
          "nir"
        ],
        "centerWavelength": 0.865,
        "fullWidthHalfMax": 0.028,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.028,
          0.21,
          0.405,
          0.465,
          0.315,
          0.275,
          0.17,
          0.305,
          0.4,
          0.138,
          0.22
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B6",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "aliases": [
          "B6",
          "B06",
          "OLI_B6"
        ],
        "centerWavelength": 1.6085,
        "fullWidthHalfMax": 0.085,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.006,
          0.012,
          0.095,
          0.18,
          0.2,
          0.235,
          0.33,
          0.22,
          0.38,
          0.47,
          0.15,
          0.225
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "aliases": [
          "B7",
          "B07",
          "OLI_B7"
        ],
        "centerWavelength": 2.2005,
        "fullWidthHalfMax": 0.187,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.004,
          0.008,
          0.042,
          0.075,
          0.09,
          0.13,
          0.225,
          0.18,
          0.33,
          0.43,
          0.14,
          0.195
        ],
        "crossSensor": true
      },
      {
        "name": "ST_B10",
        "kind": "thermal",
        "commonName": "lwir11",
        "description": "Surface temperature",
        "aliases": [
          "B10",
          "TIRS_B10"
        ],
        "centerWavelength": 10.895,
        "fullWidthHalfMax": 0.59,
        "gsd": 100,
        "dataType": "uint16",
        "scale": 0.00341802,
        "offset": 149,
        "nodata": 0,
        "unit": "KELVIN",
        "usual": [
          287,
          288,
          293,
          295,
          297,
          300,
          306,
          308,
          312,
          318,
          311,
          307
        ],
        "notes": "Delivered on the 30 m grid. Absent from scenes processed to L2SR; has holes of its own."
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      },
      {
        "name": "SR_QA_AEROSOL",
        "kind": "bits",
        "description": "Aerosol quality bits",
        "aliases": [
          "qa_aerosol"
        ],
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN"
      },
      {
        "name": "ST_QA",
        "kind": "ancillary",
        "description": "Uncertainty of the surface temperature",
        "aliases": [
          "qa"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kelvin."
      },
      {
        "name": "ST_ATRAN",
        "kind": "ancillary",
        "description": "Atmospheric transmittance",
        "aliases": [
          "atran"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_CDIST",
        "kind": "ancillary",
        "description": "Distance to the nearest cloud",
        "aliases": [
          "cdist"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kilometres."
      },
      {
        "name": "ST_DRAD",
        "kind": "ancillary",
        "description": "Downwelled radiance",
        "aliases": [
          "drad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_URAD",
        "kind": "ancillary",
        "description": "Upwelled radiance",
        "aliases": [
          "urad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_TRAD",
        "kind": "ancillary",
        "description": "Thermal radiance",
        "aliases": [
          "trad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_EMIS",
        "kind": "ancillary",
        "description": "Emissivity of band 10 from ASTER GED",
        "aliases": [
          "emis"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_EMSD",
        "kind": "ancillary",
        "description": "Standard deviation of the emissivity",
        "aliases": [
          "emsd"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 2,
          "class": "cirrus",
          "meaning": "High confidence cirrus"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        },
        {
          "bits": [
            14,
            15
          ],
          "class": "cirrus"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0000275 × DN - 0.2.",
        "offset_removed": "The same as none: the offset is the same for every product.",
        "bandpass_adjusted": "Reflectance only, float32: unchanged, since OLI is the reference. Surface temperature stays as it is.",
        "nbar": "Reflectance only, float32: bandpass_adjusted × c-factor, to nadir view and the solar zenith of Zhang et al. 2016 at the pixel's latitude; angles are computed from the item's time and WRS-2 path. Bands without kernel weights are not given at this level; surface temperature stays as it is."
      },
      "bandpass": [
        {
          "platforms": [
            "landsat-8",
            "landsat-9"
          ],
          "source": "The reference itself: OLI of Landsat 8, and OLI-2 of Landsat 9, which is taken for the same.",
          "bands": {
            "SR_B1": {
              "slope": 1,
              "offset": 0
            },
            "SR_B2": {
              "slope": 1,
              "offset": 0
            },
            "SR_B3": {
              "slope": 1,
              "offset": 0
            },
            "SR_B4": {
              "slope": 1,
              "offset": 0
            },
            "SR_B5": {
              "slope": 1,
              "offset": 0
            },
            "SR_B6": {
              "slope": 1,
              "offset": 0
            },
            "SR_B7": {
              "slope": 1,
              "offset": 0
            }
          }
        }
      ],
      "nbar": {
        "source": "Roy et al. 2016, doi:10.1016/j.rse.2016.01.023: one set of weights for all of the globe, from a year of MODIS data.",
        "notes": "Angles: the sun's position by Meeus, Astronomical Algorithms (1998); the view by the WRS-2 orbit (Landsat 8-9 Data Users Handbook): 98.2 degrees, 705 km, 233 orbits in 16 days.",
        "angles": {
          "kind": "computed",
          "path": "landsat:wrs_path",
          "orbit": {
            "inclination": 98.2,
            "altitude": 705,
            "orbits": 233,
            "days": 16,
            "firstPath": -64.6
          }
        },
        "bands": {
          "SR_B2": {
            "iso": 0.0774,
            "vol": 0.0372,
            "geo": 0.0079
          },
          "SR_B3": {
            "iso": 0.1306,
            "vol": 0.058,
            "geo": 0.0178
          },
          "SR_B4": {
            "iso": 0.169,
            "vol": 0.0574,
            "geo": 0.0227
          },
          "SR_B5": {
            "iso": 0.3093,
            "vol": 0.1535,
            "geo": 0.033
          },
          "SR_B6": {
            "iso": 0.343,
            "vol": 0.1154,
            "geo": 0.0453
          },
          "SR_B7": {
            "iso": 0.2658,
            "vol": 0.0639,
            "geo": 0.0387
          }
        }
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          7273,
          18182
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          7273,
          21818
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndwi": {
        "assets": [
          "green",
          "nir08"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 13
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 13
      },
      "thermal": {
        "assets": [
          "lwir11"
        ],
        "rescale": [
          35401,
          50029
        ],
        "colormap": "inferno",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "Wavelengths: USGS LSDS-1574, Landsat 8 Data Users Handbook, spectral bands of OLI and TIRS (band edges at half maximum).",
      "Scale, offset, fill and quality bits: USGS LSDS-1619, Landsat 8-9 Collection 2 Level 2 Science Product Guide."
    ]
  },
  {
    "id": "landsat-etm-l2",
    "title": "Landsat 7 Collection 2 Level-2",
    "description": "Surface reflectance and surface temperature of the Enhanced Thematic Mapper Plus on Landsat 7, at 30 m on UTM and polar stereographic scenes of 185 km, with per-pixel quality bits. Since 31 May 2003 the scan line corrector is off: wedges of 22 % of each scene have no data. Scenes processed to L2SR have no surface temperature.",
    "keywords": [
      "landsat",
      "etm+",
      "usgs",
      "nasa",
      "surface reflectance",
      "surface temperature",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-2-science-products"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P9C7I13B",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "1999-05-28T01:02:17Z",
    "platforms": [
      "landsat-7"
    ],
    "constellation": "landsat",
    "instruments": [
      "etm+"
    ],
    "aliases": [
      {
        "id": "LETML2",
        "source": "Sentinel Hub, earlier data type name",
        "group": "sentinel-hub"
      },
      {
        "id": "LANDSAT_ETM_L2",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      },
      {
        "id": "landsat_etm_c2_l2",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "ls7_sr",
        "source": "Digital Earth Africa",
        "group": "open-data-cube"
      },
      {
        "id": "LANDSAT/LE07/C02/T1_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "landsat:collection_category": {
            "eq": "T1"
          }
        }
      },
      {
        "id": "LANDSAT/LE07/C02/T2_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "landsat:collection_category": {
            "eq": "T2"
          }
        }
      }
    ],
    "memberOf": [
      {
        "collection": "optical-sr",
        "grid": "wrs2",
        "tile": [
          "landsat:wrs_path",
          "landsat:wrs_row"
        ]
      }
    ],
    "upstream": {
      "name": "default",
      "collection": "landsat-c2-l2",
      "otherCollections": [
        "landsat-c2l2-sr",
        "landsat-c2l2-st"
      ],
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LE07_L2S[PR]_"
      ],
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "otherAssets": {
        "MTL.json": "mtl.json",
        "MTL.txt": "mtl.txt",
        "MTL.xml": "mtl.xml",
        "ANG.txt": "ang",
        "ANG": "ang"
      },
      "instrumentsFromId": [
        {
          "pattern": "^LE0",
          "instruments": [
            "etm+"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "blue": "SR_B1",
        "green": "SR_B2",
        "red": "SR_B3",
        "nir08": "SR_B4",
        "swir16": "SR_B5",
        "swir22": "SR_B7",
        "lwir": "ST_B6",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "atmos_opacity": "SR_ATMOS_OPACITY",
        "cloud_qa": "SR_CLOUD_QA",
        "qa": "ST_QA",
        "atran": "ST_ATRAN",
        "cdist": "ST_CDIST",
        "drad": "ST_DRAD",
        "urad": "ST_URAD",
        "trad": "ST_TRAD",
        "emis": "ST_EMIS",
        "emsd": "ST_EMSD",
        "mtl.json": "mtl.json",
        "mtl.txt": "mtl.txt",
        "mtl.xml": "mtl.xml",
        "ang": "ang",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L2SP|L2SR)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        },
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat",
        "landsateuwest.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "SR_B1",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [
          "B1",
          "B01",
          "ETM_B1"
        ],
        "centerWavelength": 0.485,
        "fullWidthHalfMax": 0.07,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.028,
          0.062,
          0.02,
          0.024,
          0.028,
          0.042,
          0.07,
          0.06,
          0.11,
          0.16,
          0.085,
          0.105
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B2",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [
          "B2",
          "B02",
          "ETM_B2"
        ],
        "centerWavelength": 0.56,
        "fullWidthHalfMax": 0.08,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.024,
          0.08,
          0.036,
          0.05,
          0.065,
          0.075,
          0.105,
          0.08,
          0.155,
          0.235,
          0.095,
          0.125
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B3",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [
          "B3",
          "B03",
          "ETM_B3"
        ],
        "centerWavelength": 0.66,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.014,
          0.065,
          0.025,
          0.028,
          0.032,
          0.058,
          0.13,
          0.095,
          0.2,
          0.305,
          0.105,
          0.14
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B4",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "B4",
          "B04",
          "ETM_B4",
          "nir"
        ],
        "centerWavelength": 0.835,
        "fullWidthHalfMax": 0.13,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.028,
          0.21,
          0.405,
          0.465,
          0.315,
          0.275,
          0.17,
          0.305,
          0.4,
          0.138,
          0.22
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B5",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "aliases": [
          "B5",
          "B05",
          "ETM_B5"
        ],
        "centerWavelength": 1.65,
        "fullWidthHalfMax": 0.2,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.006,
          0.012,
          0.095,
          0.18,
          0.2,
          0.235,
          0.33,
          0.22,
          0.38,
          0.47,
          0.15,
          0.225
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "aliases": [
          "B7",
          "B07",
          "ETM_B7"
        ],
        "centerWavelength": 2.22,
        "fullWidthHalfMax": 0.26,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.004,
          0.008,
          0.042,
          0.075,
          0.09,
          0.13,
          0.225,
          0.18,
          0.33,
          0.43,
          0.14,
          0.195
        ],
        "crossSensor": true
      },
      {
        "name": "ST_B6",
        "kind": "thermal",
        "commonName": "lwir",
        "description": "Surface temperature",
        "aliases": [
          "B6",
          "B06",
          "ETM_B6",
          "lwir11"
        ],
        "centerWavelength": 11.335,
        "fullWidthHalfMax": 2.05,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.00341802,
        "offset": 149,
        "nodata": 0,
        "unit": "KELVIN",
        "usual": [
          287,
          288,
          293,
          295,
          297,
          300,
          306,
          308,
          312,
          318,
          311,
          307
        ],
        "notes": "Delivered on the 30 m grid. Absent from scenes processed to L2SR; has gaps of its own."
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      },
      {
        "name": "SR_ATMOS_OPACITY",
        "kind": "ancillary",
        "description": "Atmospheric opacity of the blue band",
        "aliases": [
          "atmos_opacity"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is the optical depth, without a unit."
      },
      {
        "name": "SR_CLOUD_QA",
        "kind": "bits",
        "description": "Cloud quality bits of the surface reflectance (LEDAPS)",
        "aliases": [
          "cloud_qa"
        ],
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN",
        "notes": "QA_PIXEL is the better source of cloud."
      },
      {
        "name": "ST_QA",
        "kind": "ancillary",
        "description": "Uncertainty of the surface temperature",
        "aliases": [
          "qa"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kelvin."
      },
      {
        "name": "ST_ATRAN",
        "kind": "ancillary",
        "description": "Atmospheric transmittance",
        "aliases": [
          "atran"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_CDIST",
        "kind": "ancillary",
        "description": "Distance to the nearest cloud",
        "aliases": [
          "cdist"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kilometres."
      },
      {
        "name": "ST_DRAD",
        "kind": "ancillary",
        "description": "Downwelled radiance",
        "aliases": [
          "drad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_URAD",
        "kind": "ancillary",
        "description": "Upwelled radiance",
        "aliases": [
          "urad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_TRAD",
        "kind": "ancillary",
        "description": "Thermal radiance",
        "aliases": [
          "trad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_EMIS",
        "kind": "ancillary",
        "description": "Emissivity of band 6 from ASTER GED",
        "aliases": [
          "emis"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_EMSD",
        "kind": "ancillary",
        "description": "Standard deviation of the emissivity",
        "aliases": [
          "emsd"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0000275 × DN - 0.2.",
        "offset_removed": "The same as none: the offset is the same for every product.",
        "bandpass_adjusted": "Reflectance only, float32: slope × reflectance + offset by band, as Landsat 8 OLI would measure it. Surface temperature stays as it is.",
        "nbar": "Reflectance only, float32: bandpass_adjusted × c-factor, to nadir view and the solar zenith of Zhang et al. 2016 at the pixel's latitude; angles are computed from the item's time and WRS-2 path. Bands without kernel weights are not given at this level; surface temperature stays as it is."
      },
      "bandpass": [
        {
          "platforms": [
            "landsat-7"
          ],
          "source": "Roy et al. 2016, doi:10.1016/j.rse.2015.12.024: surface reflectance, ordinary least squares, OLI = offset + slope × ETM+.",
          "bands": {
            "SR_B1": {
              "slope": 0.8474,
              "offset": 0.0003
            },
            "SR_B2": {
              "slope": 0.8483,
              "offset": 0.0088
            },
            "SR_B3": {
              "slope": 0.9047,
              "offset": 0.0061
            },
            "SR_B4": {
              "slope": 0.8462,
              "offset": 0.0412
            },
            "SR_B5": {
              "slope": 0.8937,
              "offset": 0.0254
            },
            "SR_B7": {
              "slope": 0.9071,
              "offset": 0.0172
            }
          }
        }
      ],
      "nbar": {
        "source": "Roy et al. 2016, doi:10.1016/j.rse.2016.01.023: one set of weights for all of the globe, from a year of MODIS data.",
        "notes": "Angles: the sun's position by Meeus, Astronomical Algorithms (1998); the view by the WRS-2 orbit (Landsat 8-9 Data Users Handbook): 98.2 degrees, 705 km, 233 orbits in 16 days.",
        "angles": {
          "kind": "computed",
          "path": "landsat:wrs_path",
          "orbit": {
            "inclination": 98.2,
            "altitude": 705,
            "orbits": 233,
            "days": 16,
            "firstPath": -64.6
          }
        },
        "bands": {
          "SR_B1": {
            "iso": 0.0774,
            "vol": 0.0372,
            "geo": 0.0079
          },
          "SR_B2": {
            "iso": 0.1306,
            "vol": 0.058,
            "geo": 0.0178
          },
          "SR_B3": {
            "iso": 0.169,
            "vol": 0.0574,
            "geo": 0.0227
          },
          "SR_B4": {
            "iso": 0.3093,
            "vol": 0.1535,
            "geo": 0.033
          },
          "SR_B5": {
            "iso": 0.343,
            "vol": 0.1154,
            "geo": 0.0453
          },
          "SR_B7": {
            "iso": 0.2658,
            "vol": 0.0639,
            "geo": 0.0387
          }
        }
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          7273,
          18182
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          7273,
          21818
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndwi": {
        "assets": [
          "green",
          "nir08"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 13
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 13
      },
      "thermal": {
        "assets": [
          "lwir"
        ],
        "rescale": [
          35401,
          50029
        ],
        "colormap": "inferno",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "Wavelengths: USGS, Landsat 7 Science Data Users Handbook (LSDS-1927), spectral bands of ETM+ (band edges at half maximum).",
      "Scale, offset, fill and quality bits: USGS LSDS-1618, Landsat 4-7 Collection 2 Level 2 Science Product Guide."
    ]
  },
  {
    "id": "landsat-tm-l2",
    "title": "Landsat 4-5 TM Collection 2 Level-2",
    "description": "Surface reflectance and surface temperature of the Thematic Mapper on Landsat 4 and 5, 1982 to 2012, at 30 m on UTM and polar stereographic scenes of 185 km, with per-pixel quality bits. Scenes processed to L2SR have no surface temperature.",
    "keywords": [
      "landsat",
      "tm",
      "usgs",
      "nasa",
      "surface reflectance",
      "surface temperature",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-2-science-products"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P9IAXOVV",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "1982-08-22T14:19:55Z",
    "platforms": [
      "landsat-4",
      "landsat-5"
    ],
    "constellation": "landsat",
    "instruments": [
      "tm"
    ],
    "aliases": [
      {
        "id": "LTML2",
        "source": "Sentinel Hub, earlier data type name",
        "group": "sentinel-hub"
      },
      {
        "id": "LANDSAT_TM_L2",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      },
      {
        "id": "landsat_tm_c2_l2",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT/LT04/C02/T1_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-4"
          },
          "landsat:collection_category": {
            "eq": "T1"
          }
        }
      },
      {
        "id": "LANDSAT/LT04/C02/T2_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-4"
          },
          "landsat:collection_category": {
            "eq": "T2"
          }
        }
      },
      {
        "id": "ls5_sr",
        "source": "Digital Earth Africa",
        "group": "open-data-cube",
        "query": {
          "platform": {
            "eq": "landsat-5"
          }
        }
      },
      {
        "id": "LANDSAT/LT05/C02/T1_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-5"
          },
          "landsat:collection_category": {
            "eq": "T1"
          }
        }
      },
      {
        "id": "LANDSAT/LT05/C02/T2_L2",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "platform": {
            "eq": "landsat-5"
          },
          "landsat:collection_category": {
            "eq": "T2"
          }
        }
      }
    ],
    "memberOf": [
      {
        "collection": "optical-sr",
        "grid": "wrs2",
        "tile": [
          "landsat:wrs_path",
          "landsat:wrs_row"
        ]
      }
    ],
    "upstream": {
      "name": "default",
      "collection": "landsat-c2-l2",
      "otherCollections": [
        "landsat-c2l2-sr",
        "landsat-c2l2-st"
      ],
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LT0[45]_L2S[PR]_"
      ],
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "otherAssets": {
        "MTL.json": "mtl.json",
        "MTL.txt": "mtl.txt",
        "MTL.xml": "mtl.xml",
        "ANG.txt": "ang",
        "ANG": "ang"
      },
      "instrumentsFromId": [
        {
          "pattern": "^LT0",
          "instruments": [
            "tm"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "blue": "SR_B1",
        "green": "SR_B2",
        "red": "SR_B3",
        "nir08": "SR_B4",
        "swir16": "SR_B5",
        "swir22": "SR_B7",
        "lwir": "ST_B6",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "atmos_opacity": "SR_ATMOS_OPACITY",
        "cloud_qa": "SR_CLOUD_QA",
        "qa": "ST_QA",
        "atran": "ST_ATRAN",
        "cdist": "ST_CDIST",
        "drad": "ST_DRAD",
        "urad": "ST_URAD",
        "trad": "ST_TRAD",
        "emis": "ST_EMIS",
        "emsd": "ST_EMSD",
        "mtl.json": "mtl.json",
        "mtl.txt": "mtl.txt",
        "mtl.xml": "mtl.xml",
        "ang": "ang",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L2SP|L2SR)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        },
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat",
        "landsateuwest.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "SR_B1",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [
          "B1",
          "B01",
          "TM_B1"
        ],
        "centerWavelength": 0.485,
        "fullWidthHalfMax": 0.07,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.028,
          0.062,
          0.02,
          0.024,
          0.028,
          0.042,
          0.07,
          0.06,
          0.11,
          0.16,
          0.085,
          0.105
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B2",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [
          "B2",
          "B02",
          "TM_B2"
        ],
        "centerWavelength": 0.56,
        "fullWidthHalfMax": 0.08,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.024,
          0.08,
          0.036,
          0.05,
          0.065,
          0.075,
          0.105,
          0.08,
          0.155,
          0.235,
          0.095,
          0.125
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B3",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [
          "B3",
          "B03",
          "TM_B3"
        ],
        "centerWavelength": 0.66,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.014,
          0.065,
          0.025,
          0.028,
          0.032,
          0.058,
          0.13,
          0.095,
          0.2,
          0.305,
          0.105,
          0.14
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B4",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "B4",
          "B04",
          "TM_B4",
          "nir"
        ],
        "centerWavelength": 0.83,
        "fullWidthHalfMax": 0.14,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.028,
          0.21,
          0.405,
          0.465,
          0.315,
          0.275,
          0.17,
          0.305,
          0.4,
          0.138,
          0.22
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B5",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "aliases": [
          "B5",
          "B05",
          "TM_B5"
        ],
        "centerWavelength": 1.65,
        "fullWidthHalfMax": 0.2,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.006,
          0.012,
          0.095,
          0.18,
          0.2,
          0.235,
          0.33,
          0.22,
          0.38,
          0.47,
          0.15,
          0.225
        ],
        "crossSensor": true
      },
      {
        "name": "SR_B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "aliases": [
          "B7",
          "B07",
          "TM_B7"
        ],
        "centerWavelength": 2.215,
        "fullWidthHalfMax": 0.27,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.0000275,
        "offset": -0.2,
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.004,
          0.008,
          0.042,
          0.075,
          0.09,
          0.13,
          0.225,
          0.18,
          0.33,
          0.43,
          0.14,
          0.195
        ],
        "crossSensor": true
      },
      {
        "name": "ST_B6",
        "kind": "thermal",
        "commonName": "lwir",
        "description": "Surface temperature",
        "aliases": [
          "B6",
          "B06",
          "TM_B6",
          "lwir11"
        ],
        "centerWavelength": 11.45,
        "fullWidthHalfMax": 2.1,
        "gsd": 120,
        "dataType": "uint16",
        "scale": 0.00341802,
        "offset": 149,
        "nodata": 0,
        "unit": "KELVIN",
        "usual": [
          287,
          288,
          293,
          295,
          297,
          300,
          306,
          308,
          312,
          318,
          311,
          307
        ],
        "notes": "Delivered on the 30 m grid. Absent from scenes processed to L2SR; has gaps of its own."
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      },
      {
        "name": "SR_ATMOS_OPACITY",
        "kind": "ancillary",
        "description": "Atmospheric opacity of the blue band",
        "aliases": [
          "atmos_opacity"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is the optical depth, without a unit."
      },
      {
        "name": "SR_CLOUD_QA",
        "kind": "bits",
        "description": "Cloud quality bits of the surface reflectance (LEDAPS)",
        "aliases": [
          "cloud_qa"
        ],
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN",
        "notes": "QA_PIXEL is the better source of cloud."
      },
      {
        "name": "ST_QA",
        "kind": "ancillary",
        "description": "Uncertainty of the surface temperature",
        "aliases": [
          "qa"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kelvin."
      },
      {
        "name": "ST_ATRAN",
        "kind": "ancillary",
        "description": "Atmospheric transmittance",
        "aliases": [
          "atran"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_CDIST",
        "kind": "ancillary",
        "description": "Distance to the nearest cloud",
        "aliases": [
          "cdist"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in kilometres."
      },
      {
        "name": "ST_DRAD",
        "kind": "ancillary",
        "description": "Downwelled radiance",
        "aliases": [
          "drad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_URAD",
        "kind": "ancillary",
        "description": "Upwelled radiance",
        "aliases": [
          "urad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_TRAD",
        "kind": "ancillary",
        "description": "Thermal radiance",
        "aliases": [
          "trad"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is in W/(m² sr µm)."
      },
      {
        "name": "ST_EMIS",
        "kind": "ancillary",
        "description": "Emissivity of band 6 from ASTER GED",
        "aliases": [
          "emis"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      },
      {
        "name": "ST_EMSD",
        "kind": "ancillary",
        "description": "Standard deviation of the emissivity",
        "aliases": [
          "emsd"
        ],
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "DN",
        "notes": "scale × DN is a fraction."
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0000275 × DN - 0.2.",
        "offset_removed": "The same as none: the offset is the same for every product.",
        "bandpass_adjusted": "Reflectance only, float32: slope × reflectance + offset by band, as Landsat 8 OLI would measure it. Surface temperature stays as it is.",
        "nbar": "Reflectance only, float32: bandpass_adjusted × c-factor, to nadir view and the solar zenith of Zhang et al. 2016 at the pixel's latitude; angles are computed from the item's time and WRS-2 path. Bands without kernel weights are not given at this level; surface temperature stays as it is."
      },
      "bandpass": [
        {
          "platforms": [
            "landsat-4",
            "landsat-5"
          ],
          "source": "Roy et al. 2016, doi:10.1016/j.rse.2015.12.024: surface reflectance, ordinary least squares, OLI = offset + slope × ETM+.",
          "notes": "No coefficients of TM are published there: those of ETM+ are used.",
          "bands": {
            "SR_B1": {
              "slope": 0.8474,
              "offset": 0.0003
            },
            "SR_B2": {
              "slope": 0.8483,
              "offset": 0.0088
            },
            "SR_B3": {
              "slope": 0.9047,
              "offset": 0.0061
            },
            "SR_B4": {
              "slope": 0.8462,
              "offset": 0.0412
            },
            "SR_B5": {
              "slope": 0.8937,
              "offset": 0.0254
            },
            "SR_B7": {
              "slope": 0.9071,
              "offset": 0.0172
            }
          }
        }
      ],
      "nbar": {
        "source": "Roy et al. 2016, doi:10.1016/j.rse.2016.01.023: one set of weights for all of the globe, from a year of MODIS data.",
        "notes": "Angles: the sun's position by Meeus, Astronomical Algorithms (1998); the view by the WRS-2 orbit (Landsat 8-9 Data Users Handbook): 98.2 degrees, 705 km, 233 orbits in 16 days.",
        "angles": {
          "kind": "computed",
          "path": "landsat:wrs_path",
          "orbit": {
            "inclination": 98.2,
            "altitude": 705,
            "orbits": 233,
            "days": 16,
            "firstPath": -64.6
          }
        },
        "bands": {
          "SR_B1": {
            "iso": 0.0774,
            "vol": 0.0372,
            "geo": 0.0079
          },
          "SR_B2": {
            "iso": 0.1306,
            "vol": 0.058,
            "geo": 0.0178
          },
          "SR_B3": {
            "iso": 0.169,
            "vol": 0.0574,
            "geo": 0.0227
          },
          "SR_B4": {
            "iso": 0.3093,
            "vol": 0.1535,
            "geo": 0.033
          },
          "SR_B5": {
            "iso": 0.343,
            "vol": 0.1154,
            "geo": 0.0453
          },
          "SR_B7": {
            "iso": 0.2658,
            "vol": 0.0639,
            "geo": 0.0387
          }
        }
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          7273,
          18182
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          7273,
          21818
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndwi": {
        "assets": [
          "green",
          "nir08"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 13
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2-14545.45)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 13
      },
      "thermal": {
        "assets": [
          "lwir"
        ],
        "rescale": [
          35401,
          50029
        ],
        "colormap": "inferno",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "Wavelengths: USGS, Landsat 4-5 Thematic Mapper spectral bands (band edges at half maximum).",
      "Scale, offset, fill and quality bits: USGS LSDS-1618, Landsat 4-7 Collection 2 Level 2 Science Product Guide."
    ]
  },
  {
    "id": "dem",
    "title": "Copernicus DEM GLO-30",
    "description": "Elevation of the Earth's surface, buildings and vegetation included, from the radar interferometry of TanDEM-X 2011 to 2015: metres above the EGM2008 geoid, one arc second north to south, on tiles of one degree. Over the ocean there are no tiles.",
    "keywords": [
      "dem",
      "dsm",
      "elevation",
      "copernicus",
      "tandem-x"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://spacedata.copernicus.eu/documents/20123/121286/CSCDA_ESA_Mission-specific+Annex_31_Oct_22.pdf",
      "title": "Copernicus DEM licence: free use with credit",
      "type": "application/pdf"
    },
    "providers": [
      {
        "name": "European Space Agency",
        "roles": [
          "licensor"
        ],
        "url": "https://dataspace.copernicus.eu/explore-data/data-collections/copernicus-contributing-missions/collections-description/COP-DEM"
      },
      {
        "name": "Sinergise",
        "roles": [
          "producer",
          "processor"
        ],
        "url": "https://registry.opendata.aws/copernicus-dem/"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/copernicus-dem/"
      }
    ],
    "doi": "10.5270/ESA-c5d3d65",
    "attribution": "Produced using Copernicus WorldDEM-30 © DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved",
    "start": "2021-04-22T00:00:00Z",
    "platforms": [
      "tandem-x"
    ],
    "aliases": [
      {
        "id": "cop-dem-glo-30",
        "source": "Earth Search v1 and Planetary Computer",
        "group": "earth-search"
      },
      {
        "id": "DEM",
        "source": "Sentinel Hub",
        "group": "sentinel-hub"
      },
      {
        "id": "COPERNICUS_30",
        "source": "openEO of CDSE",
        "group": "sentinel-hub"
      },
      {
        "id": "dem_cop_30",
        "source": "Digital Earth Africa",
        "group": "open-data-cube"
      },
      {
        "id": "COP_DEM_GLO30_DGED",
        "source": "EODAG product type",
        "group": "eodag"
      },
      {
        "id": "COPERNICUS/DEM/GLO30",
        "source": "Google Earth Engine",
        "group": "earth-engine"
      }
    ],
    "upstream": {
      "collection": "cop-dem-glo-30",
      "idPatterns": [
        "^Copernicus_DSM_COG_10_"
      ],
      "platformFromId": [
        {
          "pattern": "^Copernicus_DSM_",
          "platform": "tandem-x"
        }
      ],
      "absentProperties": [
        "eo:cloud_cover",
        "constellation",
        "instruments",
        "view:sun_elevation",
        "view:sun_azimuth"
      ],
      "epsgCodes": "^4326$",
      "assets": {
        "data": "elevation"
      }
    },
    "storage": {
      "buckets": [
        {
          "name": "copernicus-dem-30m",
          "region": "eu-central-1",
          "requesterPays": false
        }
      ],
      "servers": [
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "copernicus-dem-30m.s3.amazonaws.com",
        "copernicus-dem-30m.s3.eu-central-1.amazonaws.com",
        "s3://copernicus-dem-30m",
        "elevationeuwest.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "elevation",
        "kind": "elevation",
        "description": "Height of the surface above the EGM2008 geoid",
        "aliases": [
          "DEM",
          "data",
          "dem"
        ],
        "gsd": 30,
        "dataType": "float32",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "METERS",
        "usual": [
          0,
          5,
          20,
          60,
          120,
          200,
          350,
          500,
          800,
          1200,
          1800,
          2600
        ],
        "notes": "The files have no nodata value; where there is no tile there is no data."
      }
    ],
    "pseudoBands": [
      "dataMask"
    ],
    "units": [
      "METERS"
    ],
    "processUnits": [
      "METERS"
    ],
    "defaultUnits": "METERS",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Metres as stored, float32."
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "hillshade": {
        "assets": [
          "data"
        ],
        "hillshade": {
          "azimuth": 315,
          "altitude": 45
        },
        "minzoom": 7,
        "maxzoom": 13
      },
      "elevation": {
        "assets": [
          "data"
        ],
        "rescale": [
          0,
          3000
        ],
        "colormap": "terrain",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "Heights, grid and tiles: ESA, Copernicus DEM Product Handbook (GEO.2018-1988-2)."
    ]
  },
  {
    "id": "hls",
    "title": "Harmonized Landsat Sentinel-2 v2.0",
    "description": "Surface reflectance of Landsat 8 and 9 (HLSL30) and Sentinel-2 (HLSS30) on one grid of 30 m in MGRS tiles, atmospherically corrected (LaSRC), brought to nadir view and, for Sentinel-2, to the spectral response of OLI.",
    "keywords": [
      "hls",
      "landsat",
      "sentinel-2",
      "nasa",
      "surface reflectance",
      "optical",
      "harmonized"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://lpdaac.usgs.gov/data/data-citation-and-policies/",
      "title": "LP DAAC data citation and policies",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://hls.gsfc.nasa.gov/"
      },
      {
        "name": "LP DAAC",
        "roles": [
          "processor",
          "host"
        ],
        "url": "https://lpdaac.usgs.gov/"
      }
    ],
    "doi": "10.5067/HLS/HLSL30.002",
    "attribution": "HLS data courtesy of NASA LP DAAC, {years}",
    "start": "2013-04-11T00:00:00Z",
    "instruments": [
      "oli",
      "tirs",
      "msi"
    ],
    "aliases": [
      {
        "id": "HLS",
        "source": "Sentinel Hub",
        "group": "sentinel-hub"
      },
      {
        "id": "HLSL30",
        "source": "LP DAAC, Landsat granules",
        "group": "earthdata",
        "query": {
          "hls:product": {
            "eq": "HLSL30"
          }
        }
      },
      {
        "id": "HLSS30",
        "source": "LP DAAC, Sentinel-2 granules",
        "group": "earthdata",
        "query": {
          "hls:product": {
            "eq": "HLSS30"
          }
        }
      },
      {
        "id": "NASA/HLS/HLSL30/v002",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "hls:product": {
            "eq": "HLSL30"
          }
        }
      },
      {
        "id": "NASA/HLS/HLSS30/v002",
        "source": "Google Earth Engine",
        "group": "earth-engine",
        "query": {
          "hls:product": {
            "eq": "HLSS30"
          }
        }
      }
    ],
    "memberOf": [
      {
        "collection": "optical-sr",
        "grid": "mgrs",
        "tile": [
          "hls:tile"
        ]
      }
    ],
    "upstream": {
      "name": "lpcloud",
      "collection": "HLSL30_2.0",
      "furtherCollections": [
        "HLSS30_2.0"
      ],
      "otherNames": {
        "HLSL30_2.0": [
          "HLSL30.v2.0"
        ],
        "HLSS30_2.0": [
          "HLSS30.v2.0"
        ]
      },
      "alternatives": [
        {
          "name": "pc",
          "collection": "hls2-l30",
          "furtherCollections": [
            "hls2-s30"
          ]
        }
      ],
      "otherCollections": [
        "HLSL30.v2.0",
        "HLSS30.v2.0",
        "hls2-l30",
        "hls2-s30"
      ],
      "idPatterns": [
        "^HLS\\.[LS]30\\."
      ],
      "absentProperties": [
        "constellation",
        "created",
        "gsd",
        "updated",
        "view:sun_elevation",
        "view:sun_azimuth"
      ],
      "platformFromOrbit": [
        {
          "pattern": "^HLS\\.L30\\.",
          "inclination": 98.2,
          "orbits": 233,
          "days": 16,
          "tolerance": 30,
          "platforms": [
            {
              "platform": "landsat-8",
              "phase": 246,
              "to": "2021-10-31T00:00:00Z"
            },
            {
              "platform": "landsat-8",
              "phase": 246,
              "from": "2022-01-01T00:00:00Z"
            },
            {
              "platform": "landsat-9",
              "phase": 65,
              "from": "2022-01-01T00:00:00Z"
            }
          ]
        },
        {
          "pattern": "^HLS\\.S30\\.",
          "inclination": 98.5683,
          "orbits": 143,
          "days": 10,
          "tolerance": 12,
          "platforms": [
            {
              "platform": "sentinel-2a",
              "phase": 276,
              "to": "2025-01-21T00:00:00Z"
            },
            {
              "platform": "sentinel-2b",
              "phase": 96,
              "from": "2017-03-15T00:00:00Z"
            },
            {
              "platform": "sentinel-2c",
              "phase": 277,
              "from": "2025-01-21T00:00:00Z"
            },
            {
              "platform": "sentinel-2a",
              "phase": 133,
              "from": "2025-03-13T00:00:00Z"
            }
          ]
        }
      ],
      "instrumentsFromId": [
        {
          "pattern": "^HLS\\.L30\\.",
          "instruments": [
            "oli",
            "tirs"
          ]
        },
        {
          "pattern": "^HLS\\.S30\\.",
          "instruments": [
            "msi"
          ]
        }
      ],
      "epsgCodes": "^32[67](0[1-9]|[1-5]\\d|60)$",
      "assets": {
        "B01": "CoastalAerosol",
        "B02": "Blue",
        "B03": "Green",
        "B04": "Red",
        "Fmask": "Fmask",
        "SZA": "SZA",
        "SAA": "SAA",
        "VZA": "VZA",
        "VAA": "VAA",
        "browse": "browse",
        "metadata": "metadata"
      },
      "assetsByCollection": {
        "HLSL30_2.0": {
          "B05": "NIR_Narrow",
          "B06": "SWIR1",
          "B07": "SWIR2",
          "B09": "Cirrus",
          "B10": "ThermalInfrared1",
          "B11": "ThermalInfrared2"
        },
        "HLSS30_2.0": {
          "B05": "RedEdge1",
          "B06": "RedEdge2",
          "B07": "RedEdge3",
          "B08": "NIR_Broad",
          "B8A": "NIR_Narrow",
          "B09": "WaterVapor",
          "B10": "Cirrus",
          "B11": "SWIR1",
          "B12": "SWIR2"
        },
        "HLSL30.v2.0": {
          "B05": "NIR_Narrow",
          "B06": "SWIR1",
          "B07": "SWIR2",
          "B09": "Cirrus",
          "B10": "ThermalInfrared1",
          "B11": "ThermalInfrared2"
        },
        "HLSS30.v2.0": {
          "B05": "RedEdge1",
          "B06": "RedEdge2",
          "B07": "RedEdge3",
          "B08": "NIR_Broad",
          "B8A": "NIR_Narrow",
          "B09": "WaterVapor",
          "B10": "Cirrus",
          "B11": "SWIR1",
          "B12": "SWIR2"
        },
        "hls2-l30": {
          "B05": "NIR_Narrow",
          "B06": "SWIR1",
          "B07": "SWIR2",
          "B09": "Cirrus",
          "B10": "ThermalInfrared1",
          "B11": "ThermalInfrared2"
        },
        "hls2-s30": {
          "B05": "RedEdge1",
          "B06": "RedEdge2",
          "B07": "RedEdge3",
          "B08": "NIR_Broad",
          "B8A": "NIR_Narrow",
          "B09": "WaterVapor",
          "B10": "Cirrus",
          "B11": "SWIR1",
          "B12": "SWIR2"
        }
      },
      "otherAssets": {
        "coastal_aerosol": "CoastalAerosol",
        "blue": "Blue",
        "green": "Green",
        "red": "Red",
        "red_edge_1": "RedEdge1",
        "red_edge_2": "RedEdge2",
        "red_edge_3": "RedEdge3",
        "nir_broad": "NIR_Broad",
        "nir_narrow": "NIR_Narrow",
        "water_vapor": "WaterVapor",
        "cirrus": "Cirrus",
        "swir_1": "SWIR1",
        "swir_2": "SWIR2",
        "thermal_infrared_1": "ThermalInfrared1",
        "thermal_infrared_2": "ThermalInfrared2",
        "fmask": "Fmask",
        "saa": "SAA",
        "sza": "SZA",
        "vaa": "VAA",
        "vza": "VZA"
      },
      "asideAssets": [
        "^s3_"
      ]
    },
    "properties": [
      {
        "kind": "first-of",
        "property": "hls:product",
        "from": [
          {
            "property": "hls:product"
          },
          {
            "property": "id",
            "pattern": "^HLS\\.([LS]30)\\.",
            "value": "HLS$1"
          }
        ]
      },
      {
        "kind": "first-of",
        "property": "hls:tile",
        "from": [
          {
            "property": "hls:tile"
          },
          {
            "property": "id",
            "pattern": "^HLS\\.[LS]30\\.T(\\d\\d[A-Z]{3})\\.",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "hls:product",
        "kind": "string",
        "title": "HLS product, HLSL30 or HLSS30"
      },
      {
        "name": "hls:tile",
        "kind": "string",
        "title": "HLS tile of the Sentinel-2 grid"
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "lp-prod-protected",
          "region": "us-west-2",
          "requesterPays": false,
          "signed": true
        }
      ],
      "servers": [
        {
          "host": "data.lpdaac.earthdatacloud.nasa.gov",
          "token": "earthdata",
          "redirectHosts": [
            "d1nklfio7vscoe.cloudfront.net",
            "lp-prod-protected.s3.us-west-2.amazonaws.com"
          ],
          "loginHosts": [
            "urs.earthdata.nasa.gov"
          ],
          "requestsAtOnce": 32
        },
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "data.lpdaac.earthdatacloud.nasa.gov",
        "hls2euwest.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "CoastalAerosol",
        "kind": "spectral",
        "commonName": "coastal",
        "description": "Coastal aerosol",
        "aliases": [],
        "centerWavelength": 0.44,
        "fullWidthHalfMax": 0.02,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.03,
          0.055,
          0.018,
          0.022,
          0.025,
          0.035,
          0.055,
          0.05,
          0.085,
          0.12,
          0.075,
          0.09
        ],
        "crossSensor": true
      },
      {
        "name": "Blue",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [],
        "centerWavelength": 0.48,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.028,
          0.062,
          0.02,
          0.024,
          0.028,
          0.042,
          0.07,
          0.06,
          0.11,
          0.16,
          0.085,
          0.105
        ],
        "crossSensor": true
      },
      {
        "name": "Green",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [],
        "centerWavelength": 0.56,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.024,
          0.08,
          0.036,
          0.05,
          0.065,
          0.075,
          0.105,
          0.08,
          0.155,
          0.235,
          0.095,
          0.125
        ],
        "crossSensor": true
      },
      {
        "name": "Red",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [],
        "centerWavelength": 0.655,
        "fullWidthHalfMax": 0.03,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.014,
          0.065,
          0.025,
          0.028,
          0.032,
          0.058,
          0.13,
          0.095,
          0.2,
          0.305,
          0.105,
          0.14
        ],
        "crossSensor": true
      },
      {
        "name": "RedEdge1",
        "kind": "spectral",
        "commonName": "rededge071",
        "description": "Vegetation red edge 1",
        "aliases": [
          "rededge1"
        ],
        "centerWavelength": 0.7041,
        "fullWidthHalfMax": 0.015,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.012,
          0.055,
          0.06,
          0.085,
          0.095,
          0.115,
          0.165,
          0.115,
          0.23,
          0.335,
          0.11,
          0.16
        ],
        "notes": "HLSS30 only."
      },
      {
        "name": "RedEdge2",
        "kind": "spectral",
        "commonName": "rededge075",
        "description": "Vegetation red edge 2",
        "aliases": [
          "rededge2"
        ],
        "centerWavelength": 0.7405,
        "fullWidthHalfMax": 0.015,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.011,
          0.035,
          0.15,
          0.29,
          0.33,
          0.24,
          0.215,
          0.13,
          0.25,
          0.35,
          0.118,
          0.185
        ],
        "notes": "HLSS30 only."
      },
      {
        "name": "RedEdge3",
        "kind": "spectral",
        "commonName": "rededge078",
        "description": "Vegetation red edge 3",
        "aliases": [
          "rededge3"
        ],
        "centerWavelength": 0.7828,
        "fullWidthHalfMax": 0.02,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.01,
          0.034,
          0.185,
          0.37,
          0.43,
          0.285,
          0.24,
          0.145,
          0.27,
          0.37,
          0.125,
          0.2
        ],
        "notes": "HLSS30 only."
      },
      {
        "name": "NIR_Broad",
        "kind": "spectral",
        "commonName": "nir",
        "description": "Near infrared, broad",
        "aliases": [],
        "centerWavelength": 0.8328,
        "fullWidthHalfMax": 0.106,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.01,
          0.03,
          0.2,
          0.39,
          0.45,
          0.3,
          0.255,
          0.155,
          0.285,
          0.385,
          0.13,
          0.21
        ],
        "notes": "HLSS30 only."
      },
      {
        "name": "NIR_Narrow",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared, narrow",
        "aliases": [],
        "centerWavelength": 0.865,
        "fullWidthHalfMax": 0.03,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.028,
          0.21,
          0.405,
          0.465,
          0.315,
          0.275,
          0.17,
          0.305,
          0.4,
          0.138,
          0.22
        ],
        "crossSensor": true
      },
      {
        "name": "WaterVapor",
        "kind": "spectral",
        "commonName": "nir09",
        "description": "Water vapour",
        "aliases": [],
        "centerWavelength": 0.9451,
        "fullWidthHalfMax": 0.02,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.009,
          0.026,
          0.215,
          0.41,
          0.47,
          0.32,
          0.28,
          0.175,
          0.31,
          0.405,
          0.14,
          0.225
        ],
        "notes": "HLSS30 only."
      },
      {
        "name": "Cirrus",
        "kind": "spectral",
        "commonName": "cirrus",
        "description": "Cirrus",
        "aliases": [],
        "centerWavelength": 1.37,
        "fullWidthHalfMax": 0.02,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.001,
          0.001,
          0.001,
          0.001,
          0.002,
          0.002,
          0.002,
          0.002,
          0.002,
          0.003,
          0.002,
          0.004
        ]
      },
      {
        "name": "SWIR1",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "aliases": [],
        "centerWavelength": 1.61,
        "fullWidthHalfMax": 0.08,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.006,
          0.012,
          0.095,
          0.18,
          0.2,
          0.235,
          0.33,
          0.22,
          0.38,
          0.47,
          0.15,
          0.225
        ],
        "crossSensor": true
      },
      {
        "name": "SWIR2",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "aliases": [],
        "centerWavelength": 2.2,
        "fullWidthHalfMax": 0.18,
        "gsd": 30,
        "dataType": "int16",
        "scale": 0.0001,
        "offset": 0,
        "nodata": -9999,
        "unit": "REFLECTANCE",
        "usual": [
          0.004,
          0.008,
          0.042,
          0.075,
          0.09,
          0.13,
          0.225,
          0.18,
          0.33,
          0.43,
          0.14,
          0.195
        ],
        "crossSensor": true
      },
      {
        "name": "ThermalInfrared1",
        "kind": "thermal",
        "commonName": "lwir11",
        "description": "Thermal infrared 1",
        "centerWavelength": 10.9,
        "fullWidthHalfMax": 0.6,
        "gsd": 100,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 273.15,
        "nodata": -9999,
        "unit": "KELVIN",
        "usual": [
          287,
          288,
          293,
          295,
          297,
          300,
          306,
          308,
          312,
          318,
          311,
          307
        ],
        "notes": "Brightness temperature at the top of the atmosphere, stored in hundredths of a degree Celsius; HLSL30 only."
      },
      {
        "name": "ThermalInfrared2",
        "kind": "thermal",
        "commonName": "lwir12",
        "description": "Thermal infrared 2",
        "centerWavelength": 12,
        "fullWidthHalfMax": 1,
        "gsd": 100,
        "dataType": "int16",
        "scale": 0.01,
        "offset": 273.15,
        "nodata": -9999,
        "unit": "KELVIN",
        "usual": [
          287,
          288,
          293,
          295,
          297,
          300,
          306,
          308,
          312,
          318,
          311,
          307
        ],
        "notes": "Brightness temperature at the top of the atmosphere, stored in hundredths of a degree Celsius; HLSL30 only."
      },
      {
        "name": "Fmask",
        "kind": "bits",
        "description": "Quality bits of Fmask",
        "aliases": [
          "fmask",
          "QA"
        ],
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 255,
        "unit": "DN"
      },
      {
        "name": "SZA",
        "kind": "ancillary",
        "description": "Sun zenith angle",
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.01,
        "offset": 0,
        "nodata": 40000,
        "unit": "DN",
        "notes": "scale × DN is in degrees."
      },
      {
        "name": "SAA",
        "kind": "ancillary",
        "description": "Sun azimuth angle",
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.01,
        "offset": 0,
        "nodata": 40000,
        "unit": "DN",
        "notes": "scale × DN is in degrees."
      },
      {
        "name": "VZA",
        "kind": "ancillary",
        "description": "View zenith angle",
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.01,
        "offset": 0,
        "nodata": 40000,
        "unit": "DN",
        "notes": "scale × DN is in degrees."
      },
      {
        "name": "VAA",
        "kind": "ancillary",
        "description": "View azimuth angle",
        "gsd": 30,
        "dataType": "uint16",
        "scale": 0.01,
        "offset": 0,
        "nodata": 40000,
        "unit": "DN",
        "notes": "scale × DN is in degrees."
      }
    ],
    "indexBands": {
      "nir": "nir08"
    },
    "mask": {
      "kind": "bit-flags",
      "source": "fmask",
      "band": "Fmask",
      "bits": [
        {
          "bit": 1,
          "class": "cloud",
          "meaning": "Cloud"
        },
        {
          "bit": 2,
          "class": "cloud_adjacent",
          "meaning": "Adjacent to cloud or shadow"
        },
        {
          "bit": 3,
          "class": "cloud_shadow",
          "meaning": "Cloud shadow"
        },
        {
          "bit": 4,
          "class": "snow_ice",
          "meaning": "Snow or ice"
        },
        {
          "bit": 5,
          "class": "water",
          "meaning": "Water"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, int16, nodata -9999; reflectance = 0.0001 × DN.",
        "offset_removed": "The same as none: there is no offset.",
        "bandpass_adjusted": "Reflectance only, float32: unchanged, since the product is adjusted to Landsat 8 OLI. Surface temperature stays as it is.",
        "nbar": "Reflectance only, float32: unchanged, since the product is given at nadir view. Its solar zenith is that of the HLS Product User Guide v2.0, not that of Zhang et al. 2016."
      },
      "bandpass": [
        {
          "source": "The product itself: NASA, HLS Product User Guide v2.0. HLSS30 is adjusted to OLI already, HLSL30 is OLI.",
          "bands": {
            "CoastalAerosol": {
              "slope": 1,
              "offset": 0
            },
            "Blue": {
              "slope": 1,
              "offset": 0
            },
            "Green": {
              "slope": 1,
              "offset": 0
            },
            "Red": {
              "slope": 1,
              "offset": 0
            },
            "NIR_Narrow": {
              "slope": 1,
              "offset": 0
            },
            "SWIR1": {
              "slope": 1,
              "offset": 0
            },
            "SWIR2": {
              "slope": 1,
              "offset": 0
            }
          }
        }
      ],
      "nbar": {
        "source": "The product itself: NASA, HLS Product User Guide v2.0: reflectance of both products is adjusted to nadir view.",
        "notes": "Its solar zenith is that of HLS v2.0, not that which the other collections are brought to.",
        "angles": {
          "kind": "normalized"
        }
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "Red",
          "Green",
          "Blue"
        ],
        "rescale": [
          0,
          3000
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "NIR_Narrow",
          "Red",
          "Green"
        ],
        "rescale": [
          0,
          4000
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "NIR_Narrow",
          "Red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndwi": {
        "assets": [
          "Green",
          "NIR_Narrow"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 13
      },
      "moisture": {
        "assets": [
          "NIR_Narrow",
          "SWIR1"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "Bands, scale, fill and Fmask: NASA, HLS Product User Guide v2.0."
    ]
  },
  {
    "id": "sentinel-1-rtc",
    "title": "Sentinel-1 radiometrically terrain corrected",
    "description": "Backscatter (gamma naught) of the C-band radar of Sentinel-1 in linear power, VV and VH, terrain corrected on UTM grids of 10 m. Clouds do not hide the ground.",
    "keywords": [
      "sentinel-1",
      "sar",
      "radar",
      "c-band",
      "rtc",
      "copernicus",
      "esa",
      "backscatter"
    ],
    "license": "CC-BY-4.0",
    "licenseLink": {
      "href": "https://creativecommons.org/licenses/by/4.0/",
      "title": "CC BY 4.0",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "European Space Agency",
        "roles": [
          "producer"
        ],
        "url": "https://sentiwiki.copernicus.eu/web/s1-mission"
      },
      {
        "name": "Catalyst",
        "roles": [
          "processor"
        ],
        "url": "https://catalyst.earth/"
      },
      {
        "name": "Microsoft",
        "roles": [
          "host"
        ],
        "url": "https://planetarycomputer.microsoft.com/dataset/sentinel-1-rtc"
      }
    ],
    "attribution": "Contains modified Copernicus Sentinel data {years}, processed by Catalyst",
    "start": "2014-10-10T00:28:21Z",
    "platforms": [
      "sentinel-1a",
      "sentinel-1b",
      "sentinel-1c",
      "sentinel-1d"
    ],
    "constellation": "sentinel-1",
    "instruments": [
      "c-sar"
    ],
    "aliases": [],
    "upstream": {
      "name": "pc",
      "collection": "sentinel-1-rtc",
      "idPatterns": [
        "^S1[A-D]_.*_rtc$"
      ],
      "platformFromId": [
        {
          "pattern": "^S1([A-D])_",
          "platform": "sentinel-1$1"
        }
      ],
      "absentProperties": [
        "created",
        "eo:cloud_cover",
        "gsd",
        "updated",
        "view:sun_elevation",
        "view:sun_azimuth"
      ],
      "instrumentsFromId": [
        {
          "pattern": "^S1[A-D]_",
          "instruments": [
            "c-sar"
          ]
        }
      ],
      "epsgCodes": "^32[67](0[1-9]|[1-5]\\d|60)$",
      "assets": {
        "vv": "VV",
        "vh": "VH",
        "hh": "HH",
        "hv": "HV",
        "tilejson": "tilejson",
        "rendered_preview": "rendered_preview"
      }
    },
    "queryables": [
      {
        "name": "sat:orbit_state",
        "kind": "string",
        "title": "Orbit, ascending or descending",
        "upstream": {
          "kind": "same"
        }
      },
      {
        "name": "sat:relative_orbit",
        "kind": "number",
        "title": "Relative orbit",
        "minimum": 1,
        "maximum": 175,
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "storage": {
      "buckets": [],
      "servers": [
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "sentinel1euwestrtc.blob.core.windows.net"
      ]
    },
    "bands": [
      {
        "name": "VV",
        "kind": "backscatter",
        "description": "V transmitted, V received: gamma naught",
        "aliases": [
          "vv"
        ],
        "gsd": 10,
        "dataType": "float32",
        "scale": 1,
        "offset": 0,
        "nodata": -32768,
        "unit": "LINEAR_POWER",
        "usual": [
          0.004,
          0.012,
          0.085,
          0.11,
          0.095,
          0.06,
          0.045,
          0.04,
          0.05,
          0.015,
          0.02,
          0.42
        ]
      },
      {
        "name": "VH",
        "kind": "backscatter",
        "description": "V transmitted, H received: gamma naught",
        "aliases": [
          "vh"
        ],
        "gsd": 10,
        "dataType": "float32",
        "scale": 1,
        "offset": 0,
        "nodata": -32768,
        "unit": "LINEAR_POWER",
        "usual": [
          0.0008,
          0.002,
          0.026,
          0.034,
          0.022,
          0.01,
          0.007,
          0.006,
          0.007,
          0.002,
          0.003,
          0.07
        ]
      },
      {
        "name": "HH",
        "kind": "backscatter",
        "description": "H transmitted, H received: gamma naught",
        "aliases": [
          "hh"
        ],
        "gsd": 10,
        "dataType": "float32",
        "scale": 1,
        "offset": 0,
        "nodata": -32768,
        "unit": "LINEAR_POWER",
        "usual": [
          0.004,
          0.012,
          0.085,
          0.11,
          0.095,
          0.06,
          0.045,
          0.04,
          0.05,
          0.015,
          0.02,
          0.42
        ],
        "notes": "Of scenes over polar land and ice, which have no VV."
      },
      {
        "name": "HV",
        "kind": "backscatter",
        "description": "H transmitted, V received: gamma naught",
        "aliases": [
          "hv"
        ],
        "gsd": 10,
        "dataType": "float32",
        "scale": 1,
        "offset": 0,
        "nodata": -32768,
        "unit": "LINEAR_POWER",
        "usual": [
          0.0008,
          0.002,
          0.026,
          0.034,
          0.022,
          0.01,
          0.007,
          0.006,
          0.007,
          0.002,
          0.003,
          0.07
        ],
        "notes": "Of scenes over polar land and ice, which have no VV."
      }
    ],
    "pseudoBands": [
      "dataMask"
    ],
    "units": [
      "LINEAR_POWER",
      "DB"
    ],
    "processUnits": [
      "LINEAR_POWER",
      "DB"
    ],
    "defaultUnits": "LINEAR_POWER",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Linear power as stored, float32."
      }
    },
    "zoom": {
      "min": 7,
      "max": 14
    },
    "recipes": {
      "vv-vh": {
        "assets": [
          "VV",
          "VH"
        ],
        "alternatives": [
          {
            "assets": [
              "HH",
              "HV"
            ]
          },
          {
            "assets": [
              "VV",
              "VV"
            ],
            "factors": [
              1,
              0.25
            ]
          },
          {
            "assets": [
              "HH",
              "HH"
            ],
            "factors": [
              1,
              0.25
            ]
          }
        ],
        "expression": "sqrt(b1);sqrt(b2)*2;sqrt(b1)",
        "rescale": [
          0.05,
          0.6
        ],
        "minzoom": 7,
        "maxzoom": 14
      }
    },
    "sources": [
      "Files and values: Microsoft Planetary Computer, Sentinel-1 RTC, dataset documentation."
    ]
  },
  {
    "id": "landsat-ot-l1",
    "title": "Landsat 8-9 OLI/TIRS Collection 2 Level-1",
    "description": "At-sensor (top of atmosphere) reflectance and brightness temperature of Landsat 8 and 9, 2013 onwards, at 30 m (panchromatic 15 m), by the factors of each scene.",
    "keywords": [
      "landsat",
      "oli",
      "tirs",
      "usgs",
      "nasa",
      "top of atmosphere",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-1-data"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P975CC9B",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "2013-03-18T15:51:26Z",
    "platforms": [
      "landsat-8",
      "landsat-9"
    ],
    "constellation": "landsat",
    "instruments": [
      "oli",
      "tirs"
    ],
    "aliases": [
      {
        "id": "landsat_ot_c2_l1",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT_OT_L1",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      }
    ],
    "upstream": {
      "name": "usgs",
      "collection": "landsat-c2l1",
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^L[CO]0[89]_L1(TP|GT|GS)_"
      ],
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "instrumentsFromId": [
        {
          "pattern": "^LC0",
          "instruments": [
            "oli",
            "tirs"
          ]
        },
        {
          "pattern": "^LO0",
          "instruments": [
            "oli"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "coastal": "B1",
        "blue": "B2",
        "green": "B3",
        "red": "B4",
        "nir08": "B5",
        "swir16": "B6",
        "swir22": "B7",
        "pan": "B8",
        "cirrus": "B9",
        "lwir11": "B10",
        "lwir12": "B11",
        "VAA": "VAA",
        "VZA": "VZA",
        "SAA": "SAA",
        "SZA": "SZA",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "MTL.json": "MTL.json",
        "MTL.txt": "MTL.txt",
        "MTL.xml": "MTL.xml",
        "ANG.txt": "ANG.txt",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L1TP|L1GT|L1GS)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat"
      ]
    },
    "scaling": {
      "kind": "landsat-mtl",
      "description": "At-sensor reflectance = (M × DN + A) / sin(sun elevation), thermal bands as brightness temperature in kelvin, by the factors in the scene's own MTL document.",
      "asset": "MTL.json",
      "band": "_B(\\d+(?:_VCID_[12])?)\\.TIF$"
    },
    "bands": [
      {
        "name": "B1",
        "kind": "spectral",
        "commonName": "coastal",
        "description": "Coastal aerosol",
        "centerWavelength": 0.443,
        "fullWidthHalfMax": 0.016,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.115,
          0.14,
          0.103,
          0.107,
          0.11,
          0.12,
          0.14,
          0.135,
          0.17,
          0.205,
          0.16,
          0.175
        ]
      },
      {
        "name": "B2",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "centerWavelength": 0.482,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.093,
          0.127,
          0.085,
          0.089,
          0.093,
          0.107,
          0.135,
          0.125,
          0.175,
          0.225,
          0.15,
          0.17
        ]
      },
      {
        "name": "B3",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "centerWavelength": 0.561,
        "fullWidthHalfMax": 0.057,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.059,
          0.115,
          0.071,
          0.085,
          0.1,
          0.11,
          0.14,
          0.115,
          0.19,
          0.27,
          0.13,
          0.16
        ]
      },
      {
        "name": "B4",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "centerWavelength": 0.655,
        "fullWidthHalfMax": 0.038,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.032,
          0.083,
          0.043,
          0.046,
          0.05,
          0.076,
          0.148,
          0.113,
          0.218,
          0.323,
          0.123,
          0.158
        ]
      },
      {
        "name": "B5",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "nir"
        ],
        "centerWavelength": 0.865,
        "fullWidthHalfMax": 0.028,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.015,
          0.034,
          0.216,
          0.411,
          0.471,
          0.321,
          0.281,
          0.176,
          0.311,
          0.406,
          0.144,
          0.226
        ]
      },
      {
        "name": "B6",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "centerWavelength": 1.609,
        "fullWidthHalfMax": 0.085,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.008,
          0.014,
          0.097,
          0.182,
          0.202,
          0.237,
          0.332,
          0.222,
          0.382,
          0.472,
          0.152,
          0.227
        ]
      },
      {
        "name": "B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "centerWavelength": 2.201,
        "fullWidthHalfMax": 0.187,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.005,
          0.009,
          0.043,
          0.076,
          0.091,
          0.131,
          0.226,
          0.181,
          0.331,
          0.431,
          0.141,
          0.196
        ]
      },
      {
        "name": "B8",
        "kind": "spectral",
        "commonName": "pan",
        "description": "Panchromatic",
        "centerWavelength": 0.59,
        "fullWidthHalfMax": 0.172,
        "gsd": 15,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.044,
          0.098,
          0.056,
          0.064,
          0.074,
          0.091,
          0.142,
          0.112,
          0.202,
          0.295,
          0.125,
          0.158
        ]
      },
      {
        "name": "B9",
        "kind": "spectral",
        "commonName": "cirrus",
        "description": "Cirrus",
        "centerWavelength": 1.373,
        "fullWidthHalfMax": 0.02,
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.001,
          0.001,
          0.001,
          0.001,
          0.002,
          0.002,
          0.002,
          0.002,
          0.002,
          0.003,
          0.002,
          0.004
        ]
      },
      {
        "name": "B10",
        "kind": "thermal",
        "commonName": "lwir11",
        "description": "Thermal infrared 10.9 micrometres",
        "centerWavelength": 10.9,
        "fullWidthHalfMax": 0.59,
        "gsd": 100,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          283,
          284,
          289,
          291,
          293,
          296,
          302,
          304,
          308,
          314,
          307,
          303
        ]
      },
      {
        "name": "B11",
        "kind": "thermal",
        "commonName": "lwir12",
        "description": "Thermal infrared 12 micrometres",
        "centerWavelength": 12,
        "fullWidthHalfMax": 1.01,
        "gsd": 100,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          283,
          284,
          289,
          291,
          293,
          296,
          302,
          304,
          308,
          314,
          307,
          303
        ]
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 2,
          "class": "cirrus",
          "meaning": "High confidence cirrus"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        },
        {
          "bits": [
            14,
            15
          ],
          "class": "cirrus"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance by the factors of the scene."
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          0.02,
          0.3
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          0.02,
          0.4
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "USGS LSDS-1414, Landsat Level 1 Data Format Control Book; USGS LSDS-1822, Landsat 8-9 Data Users Handbook, section 5."
    ]
  },
  {
    "id": "landsat-etm-l1",
    "title": "Landsat 7 ETM+ Collection 2 Level-1",
    "description": "At-sensor (top of atmosphere) reflectance and brightness temperature of the Enhanced Thematic Mapper Plus on Landsat 7, 1999 to 2024, at 30 m (panchromatic 15 m), by the factors of each scene.",
    "keywords": [
      "landsat",
      "etm",
      "usgs",
      "nasa",
      "top of atmosphere",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-1-data"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P9TU80IG",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "1999-05-28T01:02:17Z",
    "platforms": [
      "landsat-7"
    ],
    "constellation": "landsat",
    "instruments": [
      "etm"
    ],
    "aliases": [
      {
        "id": "landsat_etm_c2_l1",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT_ETM_L1",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      }
    ],
    "upstream": {
      "name": "usgs",
      "collection": "landsat-c2l1",
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LE07_L1(TP|GT|GS)_"
      ],
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "instrumentsFromId": [
        {
          "pattern": "^LE0",
          "instruments": [
            "etm"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "blue": "B1",
        "green": "B2",
        "red": "B3",
        "nir08": "B4",
        "swir16": "B5",
        "lwir_low": "B6_VCID_1",
        "lwir_high": "B6_VCID_2",
        "swir22": "B7",
        "pan": "B8",
        "VAA": "VAA",
        "VZA": "VZA",
        "SAA": "SAA",
        "SZA": "SZA",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "MTL.json": "MTL.json",
        "MTL.txt": "MTL.txt",
        "MTL.xml": "MTL.xml",
        "ANG.txt": "ANG.txt",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L1TP|L1GT|L1GS)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat"
      ]
    },
    "scaling": {
      "kind": "landsat-mtl",
      "description": "At-sensor reflectance = (M × DN + A) / sin(sun elevation), thermal bands as brightness temperature in kelvin, by the factors in the scene's own MTL document.",
      "asset": "MTL.json",
      "band": "_B(\\d+(?:_VCID_[12])?)\\.TIF$"
    },
    "bands": [
      {
        "name": "B1",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "centerWavelength": 0.483,
        "fullWidthHalfMax": 0.067,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.093,
          0.127,
          0.085,
          0.089,
          0.093,
          0.107,
          0.135,
          0.125,
          0.175,
          0.225,
          0.15,
          0.17
        ]
      },
      {
        "name": "B2",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "centerWavelength": 0.56,
        "fullWidthHalfMax": 0.08,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.059,
          0.115,
          0.071,
          0.085,
          0.1,
          0.11,
          0.14,
          0.115,
          0.19,
          0.27,
          0.13,
          0.16
        ]
      },
      {
        "name": "B3",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "centerWavelength": 0.662,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.032,
          0.083,
          0.043,
          0.046,
          0.05,
          0.076,
          0.148,
          0.113,
          0.218,
          0.323,
          0.123,
          0.158
        ]
      },
      {
        "name": "B4",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "nir"
        ],
        "centerWavelength": 0.835,
        "fullWidthHalfMax": 0.13,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.015,
          0.034,
          0.216,
          0.411,
          0.471,
          0.321,
          0.281,
          0.176,
          0.311,
          0.406,
          0.144,
          0.226
        ]
      },
      {
        "name": "B5",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "centerWavelength": 1.648,
        "fullWidthHalfMax": 0.2,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.008,
          0.014,
          0.097,
          0.182,
          0.202,
          0.237,
          0.332,
          0.222,
          0.382,
          0.472,
          0.152,
          0.227
        ]
      },
      {
        "name": "B6_VCID_1",
        "kind": "thermal",
        "commonName": "lwir",
        "description": "Thermal infrared, low gain",
        "centerWavelength": 11.45,
        "fullWidthHalfMax": 2.1,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          283,
          284,
          289,
          291,
          293,
          296,
          302,
          304,
          308,
          314,
          307,
          303
        ]
      },
      {
        "name": "B6_VCID_2",
        "kind": "thermal",
        "description": "Thermal infrared, high gain",
        "centerWavelength": 11.45,
        "fullWidthHalfMax": 2.1,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          283,
          284,
          289,
          291,
          293,
          296,
          302,
          304,
          308,
          314,
          307,
          303
        ]
      },
      {
        "name": "B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "centerWavelength": 2.206,
        "fullWidthHalfMax": 0.26,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.005,
          0.009,
          0.043,
          0.076,
          0.091,
          0.131,
          0.226,
          0.181,
          0.331,
          0.431,
          0.141,
          0.196
        ]
      },
      {
        "name": "B8",
        "kind": "spectral",
        "commonName": "pan",
        "description": "Panchromatic",
        "centerWavelength": 0.71,
        "fullWidthHalfMax": 0.38,
        "gsd": 15,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.044,
          0.098,
          0.056,
          0.064,
          0.074,
          0.091,
          0.142,
          0.112,
          0.202,
          0.295,
          0.125,
          0.158
        ]
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint8, nodata 0; reflectance by the factors of the scene."
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          0.02,
          0.3
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          0.02,
          0.4
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "USGS LSDS-1414, Landsat Level 1 Data Format Control Book; USGS LSDS-1822, Landsat 8-9 Data Users Handbook, section 5."
    ]
  },
  {
    "id": "landsat-tm-l1",
    "title": "Landsat 4-5 TM Collection 2 Level-1",
    "description": "At-sensor (top of atmosphere) reflectance and brightness temperature of the Thematic Mapper on Landsat 4 and 5, 1982 to 2012, at 30 m, by the factors of each scene.",
    "keywords": [
      "landsat",
      "tm",
      "usgs",
      "nasa",
      "top of atmosphere",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-1-data"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P918ROHC",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "1982-08-22T14:19:55Z",
    "platforms": [
      "landsat-4",
      "landsat-5"
    ],
    "constellation": "landsat",
    "instruments": [
      "tm"
    ],
    "aliases": [
      {
        "id": "landsat_tm_c2_l1",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT_TM_L1",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      }
    ],
    "upstream": {
      "name": "usgs",
      "collection": "landsat-c2l1",
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LT0[45]_L1(TP|GT|GS)_"
      ],
      "isDividedById": true,
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "instrumentsFromId": [
        {
          "pattern": "^LT0",
          "instruments": [
            "tm"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "blue": "B1",
        "green": "B2",
        "red": "B3",
        "nir08": "B4",
        "swir16": "B5",
        "lwir": "B6",
        "swir22": "B7",
        "VAA": "VAA",
        "VZA": "VZA",
        "SAA": "SAA",
        "SZA": "SZA",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "MTL.json": "MTL.json",
        "MTL.txt": "MTL.txt",
        "MTL.xml": "MTL.xml",
        "ANG.txt": "ANG.txt",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L1TP|L1GT|L1GS)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat"
      ]
    },
    "scaling": {
      "kind": "landsat-mtl",
      "description": "At-sensor reflectance = (M × DN + A) / sin(sun elevation), thermal bands as brightness temperature in kelvin, by the factors in the scene's own MTL document.",
      "asset": "MTL.json",
      "band": "_B(\\d+(?:_VCID_[12])?)\\.TIF$"
    },
    "bands": [
      {
        "name": "B1",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "centerWavelength": 0.485,
        "fullWidthHalfMax": 0.07,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.093,
          0.127,
          0.085,
          0.089,
          0.093,
          0.107,
          0.135,
          0.125,
          0.175,
          0.225,
          0.15,
          0.17
        ]
      },
      {
        "name": "B2",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "centerWavelength": 0.56,
        "fullWidthHalfMax": 0.08,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.059,
          0.115,
          0.071,
          0.085,
          0.1,
          0.11,
          0.14,
          0.115,
          0.19,
          0.27,
          0.13,
          0.16
        ]
      },
      {
        "name": "B3",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "centerWavelength": 0.66,
        "fullWidthHalfMax": 0.06,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.032,
          0.083,
          0.043,
          0.046,
          0.05,
          0.076,
          0.148,
          0.113,
          0.218,
          0.323,
          0.123,
          0.158
        ]
      },
      {
        "name": "B4",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared",
        "aliases": [
          "nir"
        ],
        "centerWavelength": 0.83,
        "fullWidthHalfMax": 0.14,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.015,
          0.034,
          0.216,
          0.411,
          0.471,
          0.321,
          0.281,
          0.176,
          0.311,
          0.406,
          0.144,
          0.226
        ]
      },
      {
        "name": "B5",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "centerWavelength": 1.65,
        "fullWidthHalfMax": 0.2,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.008,
          0.014,
          0.097,
          0.182,
          0.202,
          0.237,
          0.332,
          0.222,
          0.382,
          0.472,
          0.152,
          0.227
        ]
      },
      {
        "name": "B6",
        "kind": "thermal",
        "commonName": "lwir",
        "description": "Thermal infrared",
        "centerWavelength": 11.45,
        "fullWidthHalfMax": 2.1,
        "gsd": 120,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          283,
          284,
          289,
          291,
          293,
          296,
          302,
          304,
          308,
          314,
          307,
          303
        ]
      },
      {
        "name": "B7",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "centerWavelength": 2.215,
        "fullWidthHalfMax": 0.27,
        "gsd": 30,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.005,
          0.009,
          0.043,
          0.076,
          0.091,
          0.131,
          0.226,
          0.181,
          0.331,
          0.431,
          0.141,
          0.196
        ]
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 1,
          "class": "cloud_adjacent",
          "meaning": "Dilated cloud"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        },
        {
          "bit": 4,
          "class": "cloud_shadow",
          "meaning": "High confidence cloud shadow"
        },
        {
          "bit": 5,
          "class": "snow_ice",
          "meaning": "High confidence snow or ice"
        },
        {
          "bit": 6,
          "class": "clear",
          "meaning": "Neither cloud nor dilated cloud"
        },
        {
          "bit": 7,
          "class": "water",
          "meaning": "Water"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        },
        {
          "bits": [
            10,
            11
          ],
          "class": "cloud_shadow"
        },
        {
          "bits": [
            12,
            13
          ],
          "class": "snow_ice"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "processUnits": [
      "REFLECTANCE",
      "DN",
      "KELVIN",
      "CELSIUS"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint8, nodata 0; reflectance by the factors of the scene."
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          0.02,
          0.3
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          0.02,
          0.4
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "USGS LSDS-1414, Landsat Level 1 Data Format Control Book; USGS LSDS-1822, Landsat 8-9 Data Users Handbook, section 5."
    ]
  },
  {
    "id": "landsat-mss-l1",
    "title": "Landsat 1-5 MSS Collection 2 Level-1",
    "description": "At-sensor (top of atmosphere) reflectance of the Multispectral Scanner on Landsat 1 to 5, 1972 to 2013, at 60 m, by the factors of each scene. Bands have the names of their colours: their files are numbered B4 to B7 on Landsat 1 to 3, B1 to B4 on Landsat 4 and 5.",
    "keywords": [
      "landsat",
      "mss",
      "usgs",
      "nasa",
      "top of atmosphere",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://www.usgs.gov/core-science-systems/hdds/data-policy",
      "title": "Public domain: USGS data policy",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "NASA",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://landsat.gsfc.nasa.gov/"
      },
      {
        "name": "USGS",
        "roles": [
          "producer",
          "processor",
          "licensor"
        ],
        "url": "https://www.usgs.gov/landsat-missions/landsat-collection-2-level-1-data"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/usgs-landsat/"
      }
    ],
    "doi": "10.5066/P9AF14YV",
    "attribution": "Landsat imagery courtesy of the U.S. Geological Survey, {years}",
    "start": "1972-07-25T00:00:00Z",
    "platforms": [
      "landsat-1",
      "landsat-2",
      "landsat-3",
      "landsat-4",
      "landsat-5"
    ],
    "constellation": "landsat",
    "instruments": [
      "mss"
    ],
    "aliases": [
      {
        "id": "landsat_mss_c2_l1",
        "source": "USGS Machine-to-Machine API",
        "group": "usgs"
      },
      {
        "id": "LANDSAT_MSS_L1",
        "source": "sentinelhub-py",
        "group": "sentinel-hub"
      }
    ],
    "upstream": {
      "name": "usgs",
      "collection": "landsat-c2l1",
      "alternatives": [
        {
          "name": "pc",
          "collection": "landsat-c2-l1"
        }
      ],
      "otherCollections": [
        "landsat-c2-l1"
      ],
      "holdsOtherPlatforms": true,
      "idPatterns": [
        "^LM0[1-5]_L1(TP|GT|GS)_"
      ],
      "isDividedById": true,
      "platformFromId": [
        {
          "pattern": "^L[COTEM]0(\\d)_",
          "platform": "landsat-$1"
        }
      ],
      "instrumentsFromId": [
        {
          "pattern": "^LM0",
          "instruments": [
            "mss"
          ]
        }
      ],
      "epsgCodes": "^(32[67](0[1-9]|[1-5]\\d|60)|3031|3995|5041|5042)$",
      "assets": {
        "green": "Green",
        "red": "Red",
        "nir08": "NIR_1",
        "nir09": "NIR_2",
        "qa_pixel": "QA_PIXEL",
        "qa_radsat": "QA_RADSAT",
        "MTL.json": "MTL.json",
        "MTL.txt": "MTL.txt",
        "MTL.xml": "MTL.xml",
        "thumbnail": "thumbnail",
        "reduced_resolution_browse": "reduced_resolution_browse"
      },
      "otherAssets": {
        "mtl.json": "MTL.json",
        "mtl.txt": "MTL.txt",
        "mtl.xml": "MTL.xml"
      }
    },
    "properties": [
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_path",
        "width": 3
      },
      {
        "kind": "zero-pad",
        "property": "landsat:wrs_row",
        "width": 3
      },
      {
        "kind": "first-of",
        "property": "landsat:correction",
        "from": [
          {
            "property": "landsat:correction"
          },
          {
            "property": "id",
            "pattern": "_(L1TP|L1GT|L1GS)_",
            "value": "$1"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "landsat:wrs_path",
        "kind": "string",
        "title": "Landsat WRS path",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_path"
        ]
      },
      {
        "name": "landsat:wrs_row",
        "kind": "string",
        "title": "Landsat WRS row",
        "pad": 3,
        "upstream": {
          "kind": "same"
        },
        "sortBy": [
          "landsat:wrs_row"
        ]
      },
      {
        "name": "landsat:collection_category",
        "kind": "string",
        "title": "Landsat collection category",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/landsat/v2.0.0/schema.json",
        "prefix": "landsat:",
        "others": true,
        "required": [
          "landsat:scene_id",
          "landsat:collection_category",
          "landsat:collection_number",
          "landsat:wrs_type",
          "landsat:wrs_path",
          "landsat:wrs_row",
          "landsat:correction",
          "landsat:cloud_cover_land"
        ],
        "fields": {
          "landsat:scene_id": {
            "type": "string",
            "pattern": "^L[CEMOT][1-9]\\d{13}[A-Z]{3}\\d\\d$"
          },
          "landsat:collection_category": {
            "type": "string",
            "pattern": "^(A1|A2|T1|T2|RT)$"
          },
          "landsat:collection_number": {
            "type": "string",
            "pattern": "^0[12]$"
          },
          "landsat:wrs_type": {
            "type": "string",
            "pattern": "^[12]$"
          },
          "landsat:wrs_path": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:wrs_row": {
            "type": "string",
            "pattern": "^\\d{3}$"
          },
          "landsat:correction": {
            "type": "string",
            "pattern": "^(L1TP|L1GT|L1GS|L2SR|L2SP)$"
          },
          "landsat:cloud_cover_land": {
            "type": "number",
            "minimum": -1,
            "maximum": 100
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "usgs-landsat",
          "region": "us-west-2",
          "requesterPays": true
        }
      ],
      "servers": [
        {
          "host": "landsatlook.usgs.gov",
          "loginHosts": [
            "ers.cr.usgs.gov"
          ]
        },
        {
          "host": "*.blob.core.windows.net",
          "tokenService": "https://planetarycomputer.microsoft.com/api/sas/v1/token",
          "requestsAtOnce": 64
        },
        {
          "host": "planetarycomputer.microsoft.com",
          "requestsAtOnce": 2,
          "requestsPerSecond": 5
        }
      ],
      "hosts": [
        "landsatlook.usgs.gov",
        "s3://usgs-landsat",
        "landsateuwest.blob.core.windows.net"
      ]
    },
    "scaling": {
      "kind": "landsat-mtl",
      "description": "At-sensor reflectance = (M × DN + A) / sin(sun elevation), thermal bands as brightness temperature in kelvin, by the factors in the scene's own MTL document.",
      "asset": "MTL.json",
      "band": "_B(\\d+(?:_VCID_[12])?)\\.TIF$"
    },
    "bands": [
      {
        "name": "Green",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "centerWavelength": 0.55,
        "fullWidthHalfMax": 0.1,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.059,
          0.115,
          0.071,
          0.085,
          0.1,
          0.11,
          0.14,
          0.115,
          0.19,
          0.27,
          0.13,
          0.16
        ],
        "notes": "File B4 of Landsat 1 to 3, B1 of Landsat 4 and 5."
      },
      {
        "name": "Red",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "centerWavelength": 0.65,
        "fullWidthHalfMax": 0.1,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.032,
          0.083,
          0.043,
          0.046,
          0.05,
          0.076,
          0.148,
          0.113,
          0.218,
          0.323,
          0.123,
          0.158
        ],
        "notes": "File B5 of Landsat 1 to 3, B2 of Landsat 4 and 5."
      },
      {
        "name": "NIR_1",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared 0.7 to 0.8 micrometres",
        "centerWavelength": 0.75,
        "fullWidthHalfMax": 0.1,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.015,
          0.034,
          0.216,
          0.411,
          0.471,
          0.321,
          0.281,
          0.176,
          0.311,
          0.406,
          0.144,
          0.226
        ],
        "notes": "File B6 of Landsat 1 to 3, B3 of Landsat 4 and 5."
      },
      {
        "name": "NIR_2",
        "kind": "spectral",
        "commonName": "nir09",
        "description": "Near infrared 0.8 to 1.1 micrometres",
        "aliases": [
          "nir"
        ],
        "centerWavelength": 0.95,
        "fullWidthHalfMax": 0.3,
        "gsd": 60,
        "dataType": "uint8",
        "scale": 1,
        "offset": 0,
        "nodata": 0,
        "unit": "DN",
        "usual": [
          0.015,
          0.032,
          0.221,
          0.416,
          0.476,
          0.326,
          0.286,
          0.181,
          0.316,
          0.411,
          0.146,
          0.231
        ],
        "notes": "File B7 of Landsat 1 to 3, B4 of Landsat 4 and 5."
      },
      {
        "name": "QA_PIXEL",
        "kind": "bits",
        "description": "Pixel quality bits",
        "aliases": [
          "qa_pixel",
          "BQA"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": 1,
        "unit": "DN",
        "notes": "Fill is 1, not 0, and the files carry no nodata tag; see the mask crosswalk."
      },
      {
        "name": "QA_RADSAT",
        "kind": "bits",
        "description": "Radiometric saturation and terrain occlusion bits",
        "aliases": [
          "qa_radsat"
        ],
        "gsd": 30,
        "dataType": "uint16",
        "scale": 1,
        "offset": 0,
        "nodata": null,
        "unit": "DN"
      }
    ],
    "mask": {
      "kind": "bit-flags",
      "source": "qa_pixel",
      "band": "QA_PIXEL",
      "bits": [
        {
          "bit": 0,
          "class": "nodata",
          "meaning": "Fill"
        },
        {
          "bit": 3,
          "class": "cloud",
          "meaning": "High confidence cloud"
        }
      ],
      "confidences": [
        {
          "bits": [
            8,
            9
          ],
          "class": "cloud",
          "setting": "cloudConfidence"
        }
      ]
    },
    "pseudoBands": [
      "mask",
      "mask_class",
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "none",
      "levels": {
        "none": "Digital numbers as stored, uint8, nodata 0; reflectance by the factors of the scene."
      }
    },
    "zoom": {
      "min": 7,
      "max": 13
    },
    "recipes": {
      "false-color": {
        "assets": [
          "nir09",
          "red",
          "green"
        ],
        "rescale": [
          0.02,
          0.4
        ],
        "minzoom": 7,
        "maxzoom": 13
      },
      "ndvi": {
        "assets": [
          "nir09",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 13
      }
    },
    "sources": [
      "USGS LSDS-1414, Landsat Level 1 Data Format Control Book; USGS LSDS-1822, Landsat 8-9 Data Users Handbook, section 5."
    ]
  },
  {
    "id": "sentinel-2-l1c",
    "title": "Sentinel-2 Level-1C",
    "description": "Reflectance at the top of the atmosphere of the Sentinel-2 MultiSpectral Instrument, not corrected for the atmosphere. Ten, twenty and sixty metre bands, cirrus among them, on UTM tiles of 110 km. The digital numbers of processing baseline 04.00 and later carry an offset of 1000. Files are JPEG 2000; they have no mask of clouds.",
    "keywords": [
      "sentinel-2",
      "msi",
      "copernicus",
      "esa",
      "top of atmosphere",
      "optical"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://dataspace.copernicus.eu/terms-and-conditions",
      "title": "Terms and conditions for the use of Copernicus Sentinel data",
      "type": "text/html"
    },
    "providers": [
      {
        "name": "European Space Agency",
        "roles": [
          "producer",
          "licensor"
        ],
        "url": "https://sentiwiki.copernicus.eu/web/s2-mission"
      },
      {
        "name": "Element 84",
        "roles": [
          "processor"
        ],
        "url": "https://element84.com/"
      },
      {
        "name": "Amazon Web Services",
        "roles": [
          "host"
        ],
        "url": "https://registry.opendata.aws/sentinel-2/"
      }
    ],
    "doi": "10.5270/S2_-742ikth",
    "attribution": "Contains modified Copernicus Sentinel data {years}",
    "start": "2015-06-27T10:25:31.456Z",
    "platforms": [
      "sentinel-2a",
      "sentinel-2b",
      "sentinel-2c"
    ],
    "constellation": "sentinel-2",
    "instruments": [
      "msi"
    ],
    "aliases": [
      {
        "id": "S2L1C",
        "source": "Sentinel Hub, earlier data type name",
        "group": "sentinel-hub"
      },
      {
        "id": "SENTINEL2_L1C",
        "source": "sentinelhub-py and openEO of CDSE",
        "group": "sentinel-hub"
      },
      {
        "id": "sentinel-s2-l1c",
        "source": "AWS open data bucket, and Earth Search v0",
        "group": "aws"
      },
      {
        "id": "S2MSI1C",
        "source": "ESA product type",
        "group": "esa"
      },
      {
        "id": "S2_MSI_L1C",
        "source": "EODAG product type",
        "group": "eodag"
      },
      {
        "id": "COPERNICUS/S2_HARMONIZED",
        "source": "Google Earth Engine",
        "group": "earth-engine"
      },
      {
        "id": "COPERNICUS/S2",
        "source": "Google Earth Engine, without harmonization",
        "group": "earth-engine"
      }
    ],
    "upstream": {
      "name": "default",
      "collection": "sentinel-2-l1c",
      "idPatterns": [
        "^S2[A-D]_.*(_L1C|MSIL1C)"
      ],
      "platformFromId": [
        {
          "pattern": "^S2([A-D])_",
          "platform": "sentinel-2$1"
        }
      ],
      "assets": {
        "coastal": "B01",
        "blue": "B02",
        "green": "B03",
        "red": "B04",
        "rededge1": "B05",
        "rededge2": "B06",
        "rededge3": "B07",
        "nir": "B08",
        "nir08": "B8A",
        "nir09": "B09",
        "cirrus": "B10",
        "swir16": "B11",
        "swir22": "B12",
        "visual": "visual",
        "thumbnail": "thumbnail",
        "granule_metadata": "granule_metadata",
        "tileinfo_metadata": "tileinfo_metadata",
        "product_metadata": "product_metadata"
      }
    },
    "properties": [
      {
        "kind": "mgrs-tile",
        "property": "s2:mgrs_tile",
        "prefixes": [
          "mgrs",
          "sentinel"
        ],
        "gridCode": "grid:code"
      },
      {
        "kind": "first-of",
        "property": "s2:processing_baseline",
        "from": [
          {
            "property": "s2:processing_baseline"
          },
          {
            "property": "sentinel:processing_baseline"
          },
          {
            "property": "s2:product_uri",
            "pattern": "_N(\\d\\d)(\\d\\d)_",
            "value": "$1.$2"
          },
          {
            "property": "sentinel:product_id",
            "pattern": "_N(\\d\\d)(\\d\\d)_",
            "value": "$1.$2"
          }
        ]
      }
    ],
    "queryables": [
      {
        "name": "s2:mgrs_tile",
        "kind": "string",
        "title": "Sentinel-2 tile",
        "upstream": {
          "kind": "mgrs-grid-code",
          "property": "grid:code"
        },
        "sortBy": [
          "mgrs:utm_zone",
          "mgrs:latitude_band",
          "mgrs:grid_square"
        ]
      },
      {
        "name": "s2:processing_baseline",
        "kind": "string",
        "title": "Sentinel-2 processing baseline",
        "upstream": {
          "kind": "same"
        }
      }
    ],
    "extensions": [
      {
        "url": "https://stac-extensions.github.io/sentinel-2/v1.0.0/schema.json",
        "prefix": "s2:",
        "others": false,
        "fields": {
          "s2:processing_baseline": {
            "type": "string",
            "pattern": "^\\d\\d\\.\\d\\d$"
          },
          "s2:degraded_msi_data_percentage": {
            "type": "number",
            "minimum": 0,
            "maximum": 100
          },
          "s2:reflectance_conversion_factor": {
            "type": "number"
          },
          "s2:tile_id": {
            "type": "string"
          },
          "s2:granule_id": {
            "type": "string"
          },
          "s2:datatake_id": {
            "type": "string"
          },
          "s2:product_uri": {
            "type": "string"
          },
          "s2:datastrip_id": {
            "type": "string"
          },
          "s2:product_type": {
            "type": "string"
          },
          "s2:datatake_type": {
            "type": "string"
          },
          "s2:generation_time": {
            "type": "string"
          },
          "s2:mgrs_tile": {
            "type": "string"
          }
        }
      }
    ],
    "storage": {
      "buckets": [
        {
          "name": "sentinel-s2-l1c",
          "region": "eu-central-1",
          "requesterPays": true
        }
      ],
      "hosts": [
        "s3://sentinel-s2-l1c"
      ]
    },
    "offsetRules": {
      "processing-baseline": {
        "kind": "by-processing-baseline",
        "description": "By s2:processing_baseline of the item, never by acquisition date: -0.1 from 04.00 on, 0 before.",
        "property": "s2:processing_baseline",
        "from": "04.00",
        "appliedFlags": [],
        "product": {
          "property": "s2:product_uri",
          "pattern": "_N(\\d\\d)(\\d\\d)_"
        }
      }
    },
    "bands": [
      {
        "name": "B01",
        "kind": "spectral",
        "commonName": "coastal",
        "description": "Coastal aerosol",
        "aliases": [
          "B1"
        ],
        "centerWavelength": 0.4427,
        "fullWidthHalfMax": 0.021,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.115,
          0.14,
          0.103,
          0.107,
          0.11,
          0.12,
          0.14,
          0.135,
          0.17,
          0.205,
          0.16,
          0.175
        ]
      },
      {
        "name": "B02",
        "kind": "spectral",
        "commonName": "blue",
        "description": "Blue",
        "aliases": [
          "B2"
        ],
        "centerWavelength": 0.4924,
        "fullWidthHalfMax": 0.066,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.093,
          0.127,
          0.085,
          0.089,
          0.093,
          0.107,
          0.135,
          0.125,
          0.175,
          0.225,
          0.15,
          0.17
        ]
      },
      {
        "name": "B03",
        "kind": "spectral",
        "commonName": "green",
        "description": "Green",
        "aliases": [
          "B3"
        ],
        "centerWavelength": 0.5598,
        "fullWidthHalfMax": 0.036,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.059,
          0.115,
          0.071,
          0.085,
          0.1,
          0.11,
          0.14,
          0.115,
          0.19,
          0.27,
          0.13,
          0.16
        ]
      },
      {
        "name": "B04",
        "kind": "spectral",
        "commonName": "red",
        "description": "Red",
        "aliases": [
          "B4"
        ],
        "centerWavelength": 0.6646,
        "fullWidthHalfMax": 0.031,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.032,
          0.083,
          0.043,
          0.046,
          0.05,
          0.076,
          0.148,
          0.113,
          0.218,
          0.323,
          0.123,
          0.158
        ]
      },
      {
        "name": "B05",
        "kind": "spectral",
        "commonName": "rededge071",
        "description": "Vegetation red edge 1",
        "aliases": [
          "B5",
          "rededge1"
        ],
        "centerWavelength": 0.7041,
        "fullWidthHalfMax": 0.015,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.026,
          0.069,
          0.074,
          0.099,
          0.109,
          0.129,
          0.179,
          0.129,
          0.244,
          0.349,
          0.124,
          0.174
        ]
      },
      {
        "name": "B06",
        "kind": "spectral",
        "commonName": "rededge075",
        "description": "Vegetation red edge 2",
        "aliases": [
          "B6",
          "rededge2"
        ],
        "centerWavelength": 0.7405,
        "fullWidthHalfMax": 0.015,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.022,
          0.046,
          0.161,
          0.301,
          0.341,
          0.251,
          0.226,
          0.141,
          0.261,
          0.361,
          0.129,
          0.196
        ]
      },
      {
        "name": "B07",
        "kind": "spectral",
        "commonName": "rededge078",
        "description": "Vegetation red edge 3",
        "aliases": [
          "B7",
          "rededge3"
        ],
        "centerWavelength": 0.7828,
        "fullWidthHalfMax": 0.02,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.019,
          0.043,
          0.194,
          0.379,
          0.439,
          0.294,
          0.249,
          0.154,
          0.279,
          0.379,
          0.134,
          0.209
        ]
      },
      {
        "name": "B08",
        "kind": "spectral",
        "commonName": "nir",
        "description": "Near infrared, broad",
        "aliases": [
          "B8"
        ],
        "centerWavelength": 0.8328,
        "fullWidthHalfMax": 0.106,
        "gsd": 10,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.017,
          0.037,
          0.207,
          0.397,
          0.457,
          0.307,
          0.262,
          0.162,
          0.292,
          0.392,
          0.137,
          0.217
        ],
        "notes": "Broader than the near infrared of Landsat; B8A (nir08) is its counterpart."
      },
      {
        "name": "B8A",
        "kind": "spectral",
        "commonName": "nir08",
        "description": "Near infrared, narrow",
        "aliases": [
          "B08A"
        ],
        "centerWavelength": 0.8647,
        "fullWidthHalfMax": 0.021,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.015,
          0.034,
          0.216,
          0.411,
          0.471,
          0.321,
          0.281,
          0.176,
          0.311,
          0.406,
          0.144,
          0.226
        ]
      },
      {
        "name": "B09",
        "kind": "spectral",
        "commonName": "nir09",
        "description": "Water vapour",
        "aliases": [
          "B9"
        ],
        "centerWavelength": 0.9451,
        "fullWidthHalfMax": 0.02,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.015,
          0.032,
          0.221,
          0.416,
          0.476,
          0.326,
          0.286,
          0.181,
          0.316,
          0.411,
          0.146,
          0.231
        ]
      },
      {
        "name": "B10",
        "kind": "spectral",
        "commonName": "cirrus",
        "description": "Cirrus",
        "centerWavelength": 1.3735,
        "fullWidthHalfMax": 0.031,
        "gsd": 60,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.001,
          0.001,
          0.001,
          0.001,
          0.002,
          0.002,
          0.002,
          0.002,
          0.002,
          0.003,
          0.002,
          0.004
        ]
      },
      {
        "name": "B11",
        "kind": "spectral",
        "commonName": "swir16",
        "description": "Short-wave infrared 1.6 micrometres",
        "centerWavelength": 1.6137,
        "fullWidthHalfMax": 0.091,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.008,
          0.014,
          0.097,
          0.182,
          0.202,
          0.237,
          0.332,
          0.222,
          0.382,
          0.472,
          0.152,
          0.227
        ]
      },
      {
        "name": "B12",
        "kind": "spectral",
        "commonName": "swir22",
        "description": "Short-wave infrared 2.2 micrometres",
        "centerWavelength": 2.2024,
        "fullWidthHalfMax": 0.175,
        "gsd": 20,
        "dataType": "uint16",
        "scale": 0.0001,
        "offset": -0.1,
        "offsetRule": "processing-baseline",
        "nodata": 0,
        "unit": "REFLECTANCE",
        "usual": [
          0.005,
          0.009,
          0.043,
          0.076,
          0.091,
          0.131,
          0.226,
          0.181,
          0.331,
          0.431,
          0.141,
          0.196
        ]
      }
    ],
    "pseudoBands": [
      "dataMask"
    ],
    "units": [
      "REFLECTANCE",
      "DN"
    ],
    "defaultUnits": "REFLECTANCE",
    "harmonize": {
      "default": "offset_removed",
      "levels": {
        "none": "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0001 × DN + offset, offset by processing baseline.",
        "offset_removed": "int16: DN - 1000 from processing baseline 04.00 on, DN before; at most 32767; nodata -32768. reflectance = 0.0001 × value."
      }
    },
    "zoom": {
      "min": 8,
      "max": 14
    },
    "recipes": {
      "true-color": {
        "assets": [
          "visual"
        ],
        "minzoom": 8,
        "maxzoom": 14
      },
      "false-color": {
        "assets": [
          "nir",
          "red",
          "green"
        ],
        "rescale": [
          1000,
          5000
        ],
        "minzoom": 8,
        "maxzoom": 14
      },
      "ndvi": {
        "assets": [
          "nir",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 8,
        "maxzoom": 14
      },
      "ndwi": {
        "assets": [
          "green",
          "nir"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 8,
        "maxzoom": 14
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2-2000)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 8,
        "maxzoom": 14
      }
    },
    "sources": [
      "Wavelengths: ESA, Sentinel-2 MSI User Guide, spectral bands of S2A (from S2-SRF, COPE-GSEG-EOPG-TN-15-0007).",
      "Scale and offset: ESA, Sentinel-2 Products Specification Document, QUANTIFICATION_VALUE 10000 and RADIO_ADD_OFFSET -1000."
    ]
  }
];

/** The built-in collections of the items of others. */
export const VIRTUAL_FILES: readonly VirtualCollectionFile[] = [
  {
    "kind": "virtual",
    "id": "optical-sr",
    "title": "Optical surface reflectance",
    "description": "Scenes of all optical surface-reflectance collections of this service as one collection, newest first: of several processings of one overpass the newest, bands by common name, reflectance as Landsat 8 OLI would measure it.",
    "keywords": [
      "surface reflectance",
      "harmonized",
      "Sentinel-2",
      "Landsat"
    ],
    "license": "other",
    "licenseLink": {
      "href": "https://sentinel.esa.int/documents/247904/690755/Sentinel_Data_Legal_Notice",
      "title": "Terms of the member collections apply, such as the Legal notice on Copernicus Sentinel data",
      "type": "application/pdf"
    },
    "bandAliases": {
      "nir": "nir08"
    },
    "harmonize": {
      "default": "bandpass_adjusted",
      "levels": {
        "offset_removed": "Reflectance of each scene as its producer gives it: sensors differ.",
        "bandpass_adjusted": "Reflectance as Landsat 8 OLI would measure it, by the coefficients of each scene's own collection and platform.",
        "nbar": "As bandpass_adjusted, and brought to nadir view and the solar zenith of Zhang et al. 2016 at the pixel's latitude, by the angles of each scene."
      }
    },
    "zoom": {
      "min": 7,
      "max": 14
    },
    "recipes": {
      "true-color": {
        "assets": [
          "red",
          "green",
          "blue"
        ],
        "rescale": [
          0,
          0.3
        ],
        "minzoom": 7,
        "maxzoom": 14
      },
      "false-color": {
        "assets": [
          "nir08",
          "red",
          "green"
        ],
        "rescale": [
          0,
          0.4
        ],
        "minzoom": 7,
        "maxzoom": 14
      },
      "ndvi": {
        "assets": [
          "nir08",
          "red"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.2,
          0.8
        ],
        "colormap": "rdylgn",
        "minzoom": 7,
        "maxzoom": 14
      },
      "ndwi": {
        "assets": [
          "green",
          "nir08"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "brbg",
        "minzoom": 7,
        "maxzoom": 14
      },
      "moisture": {
        "assets": [
          "nir08",
          "swir16"
        ],
        "expression": "(b1-b2)/(b1+b2)",
        "rescale": [
          -0.8,
          0.8
        ],
        "colormap": "rdylbu",
        "minzoom": 7,
        "maxzoom": 14
      }
    }
  }
];

/** The built-in presets as their file has them. */
export const PRESET_FILES: readonly PresetFile[] = [
  {
    "id": "true-color",
    "title": "True colour",
    "description": "Red, green and blue as the eye sees them.",
    "collection": "sentinel-2-l2a",
    "bands": [
      "red",
      "green",
      "blue"
    ],
    "rescale": [
      0,
      0.3
    ],
    "harmonize": "offset_removed",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "false-color",
    "title": "False colour",
    "description": "Near infrared, red and green: vegetation is red.",
    "collection": "sentinel-2-l2a",
    "bands": [
      "nir",
      "red",
      "green"
    ],
    "rescale": [
      0,
      0.4
    ],
    "harmonize": "offset_removed",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "ndvi",
    "title": "NDVI",
    "description": "Normalized difference vegetation index, from red (bare) to green (dense vegetation).",
    "collection": "sentinel-2-l2a",
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir - red) / (nir + red)",
    "rescale": [
      -0.2,
      0.8
    ],
    "colormap": "rdylgn",
    "harmonize": "offset_removed",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "ndwi",
    "title": "NDWI",
    "description": "Normalized difference water index (McFeeters 1996), from brown (dry land) to blue-green (open water).",
    "collection": "sentinel-2-l2a",
    "bands": [
      "green",
      "nir"
    ],
    "expression": "(green - nir) / (green + nir)",
    "rescale": [
      -0.8,
      0.8
    ],
    "colormap": "brbg",
    "harmonize": "offset_removed",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "moisture",
    "title": "Moisture",
    "description": "Normalized difference moisture index (Gao 1996), water in vegetation, from red (dry) to blue (moist).",
    "collection": "sentinel-2-l2a",
    "bands": [
      "nir08",
      "swir16"
    ],
    "expression": "(nir08 - swir16) / (nir08 + swir16)",
    "rescale": [
      -0.8,
      0.8
    ],
    "colormap": "rdylbu",
    "harmonize": "offset_removed",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "hillshade",
    "title": "Hillshade",
    "description": "Shaded relief, lit from the north-west at 45 degrees (Horn 1981).",
    "collection": "dem",
    "bands": [
      "elevation"
    ],
    "hillshade": {
      "azimuth": 315,
      "altitude": 45
    },
    "harmonize": "none",
    "mosaickingOrder": "mostRecent",
    "minzoom": 7,
    "maxzoom": 13,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "elevation",
    "title": "Elevation",
    "description": "Height above sea level, from 0 m (blue) over green and brown to 3,000 m (white).",
    "collection": "dem",
    "bands": [
      "elevation"
    ],
    "rescale": [
      0,
      3000
    ],
    "colormap": "terrain",
    "harmonize": "none",
    "mosaickingOrder": "mostRecent",
    "minzoom": 7,
    "maxzoom": 13,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "thermal",
    "title": "Surface temperature",
    "description": "Surface temperature from -3 to 47 degrees Celsius, from dark (cold) to bright (warm).",
    "collection": "landsat-ot-l2",
    "bands": [
      "lwir11"
    ],
    "rescale": [
      270,
      320
    ],
    "colormap": "inferno",
    "harmonize": "none",
    "mosaickingOrder": "leastCC",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 13,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "vv-vh",
    "title": "Radar, VV and VH",
    "description": "Amplitude of VV as red and blue and of VH, doubled, as green: cities are white, forest green, water black. Scenes of one polarization are grey.",
    "collection": "sentinel-1-rtc",
    "bands": [
      "VV",
      "VH"
    ],
    "expression": "sqrt(VV);sqrt(VH)*2;sqrt(VV)",
    "rescale": [
      0.05,
      0.6
    ],
    "harmonize": "none",
    "mosaickingOrder": "mostRecent",
    "defaultWindow": "P90D",
    "minzoom": 7,
    "maxzoom": 14,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  },
  {
    "id": "stored-values",
    "title": "Stored values",
    "description": "One band as it is stored, from black (low) to white (high).",
    "bands": [
      "value"
    ],
    "harmonize": "none",
    "mosaickingOrder": "mostRecent",
    "minzoom": 0,
    "maxzoom": 24,
    "tileMatrixSets": [
      "WebMercatorQuad",
      "WorldCRS84Quad"
    ],
    "formats": [
      "png",
      "jpg",
      "webp"
    ]
  }
];
