"""Requests and expected answers of statistics-numpy.test.ts, by rasterio and numpy:

/usr/bin/python3 expected.py FIXTURES > expected.json

Pixels are those of the files: `rasterio.features.geometry_mask` says which belong to a polygon. `grids` are the files' own
(EPSG code and transform), which the test writes into the items.
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import rasterio
import rasterio.warp
from rasterio.features import geometry_mask
from rasterio.windows import Window

FIXTURES = Path(sys.argv[1])
S2 = "cog/sentinel-2-l2a"
LANDSAT = "cog/landsat-c2-l2"
SAHARA = f"{S2}/S2A_29RKH_20200219_0_L2A"
COLOMBIA = f"{LANDSAT}/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_"
PERCENTS = [0, 5, 25, 50, 75, 95, 99.5, 100]


def scl_kept(samples, dropped=(0, 1, 3, 8, 9, 10)):
    return ~np.isin(samples, dropped)


def qa_kept(samples, classes=("cloud", "cloud_shadow", "cirrus")):
    """Bit 0 fill, 1 dilated cloud, 2 cirrus, 3 cloud, 4 shadow, bits 8-9 cloud confidence (medium: 2 or 3)."""
    bits = {"cloud_adjacent": 1, "cirrus": 2, "cloud": 3, "cloud_shadow": 4, "snow_ice": 5, "water": 7}
    dropped = samples & 1 == 1
    for name in classes:
        dropped |= (samples >> bits[name]) & 1 == 1
    if "cloud" in classes:
        dropped |= (samples >> 8) & 3 >= 2
    return ~dropped


def disc(keep, seeds, pixels):
    """Drops pixels whose centres are within `pixels` of a seed's."""
    rows, columns = np.indices(keep.shape)
    keep = keep.copy()
    reach = math.floor(pixels)
    height, width = keep.shape
    for row, column in zip(*np.nonzero(seeds)):
        top, left = max(0, row - reach), max(0, column - reach)
        part = (slice(top, min(height, row + reach + 1)), slice(left, min(width, column + reach + 1)))
        keep[part] &= (rows[part] - row) ** 2 + (columns[part] - column) ** 2 > pixels**2
    return keep


def on_grid(path, transform, shape, samples=None):
    """Samples of a file under the pixel centres of a grid in its CRS, and which centres are on it."""
    with rasterio.open(FIXTURES / path) as source:
        samples = source.read(1) if samples is None else samples
        to_pixel = ~source.transform
    rows, columns = np.indices(shape)
    x, y = transform * (columns + 0.5, rows + 0.5)
    c, r = to_pixel * (x, y)
    c, r = np.floor(c).astype(int), np.floor(r).astype(int)
    inside = (c >= 0) & (r >= 0) & (c < samples.shape[1]) & (r < samples.shape[0])
    found = samples[np.clip(r, 0, samples.shape[0] - 1), np.clip(c, 0, samples.shape[1] - 1)]
    return found, inside


def read(path):
    with rasterio.open(FIXTURES / path) as source:
        return source.read(1)


def grid_around(path, geometry):
    """The pixels of a file around a geometry in its CRS, beyond its edge too."""
    with rasterio.open(FIXTURES / path) as source:
        transform, crs = source.transform, source.crs
    points = np.array([p for ring in rings(geometry) for p in ring])
    (left, top), (right, bottom) = ~transform * (points[:, 0].min(), points[:, 1].max()), ~transform * (
        points[:, 0].max(),
        points[:, 1].min(),
    )
    col, row = math.floor(left + 1e-6), math.floor(top + 1e-6)
    width, height = math.ceil(right - 1e-6) - col, math.ceil(bottom - 1e-6) - row
    window = Window(col, row, width, height)
    return rasterio.windows.transform(window, transform), (height, width), crs


def rings(geometry):
    polygons = geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
    return [ring for polygon in polygons for ring in polygon]


def box(west, south, east, north):
    return {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}


def numbers(values, inside, histogram=None):
    """`values` holds NaN where there is no data."""
    valid = values[inside & np.isfinite(values)]
    stats = {
        "min": valid.min(),
        "max": valid.max(),
        "mean": valid.mean(),
        "stDev": valid.std(),
        "sampleCount": int(inside.sum()),
        "noDataCount": int(inside.sum() - valid.size),
        "percentiles": {f"{p:.1f}": np.percentile(valid, p) for p in PERCENTS},
    }
    output = {"stats": stats}
    if histogram is not None:
        edges, bins = histogram(valid)
        counts, found = np.histogram(valid, bins)
        assert edges is None or np.array_equal(edges, found)
        output["histogram"] = {
            "bins": [
                {"lowEdge": float(low), "highEdge": float(high), "count": int(count)}
                for low, high, count in zip(found[:-1], found[1:], counts)
            ],
            "overflowCount": int((valid > found[-1]).sum()),
            "underflowCount": int((valid < found[0]).sum()),
        }
    return output


GRIDS = {}
CASES = []


def case(name, collection, day, files, geometry, formula, output, keep=None, bounds=None, size=None, more=None, histogram=None, step=None):
    """
    files: band to path, of which the first gives the grid; formula: bands to {output: values}; keep: the mask's path, and
    samples to what is kept; bounds, size: those of the request, where they are not the geometry and the file's resolution.
    """
    first = next(iter(files.values()))
    for path in [*files.values(), *([] if keep is None else [keep[0]])]:
        with rasterio.open(FIXTURES / path) as source:
            GRIDS[path] = {"epsg": source.crs.to_epsg(), "transform": list(source.transform)[:6]}
    transform, shape, crs = grid_around(first, geometry)
    if step is not None:
        # pixels of `step` m around the geometry, at multiples of it
        points = np.array([p for ring in rings(geometry) for p in ring])
        left, top = math.floor(points[:, 0].min() / step), math.ceil(points[:, 1].max() / step)
        right, bottom = math.ceil(points[:, 0].max() / step), math.floor(points[:, 1].min() / step)
        transform, shape = rasterio.Affine(step, 0, left * step, 0, -step, top * step), (top - bottom, right - left)
    inside = geometry_mask([geometry], shape, transform, invert=True)
    bands, found = {}, np.ones(shape, dtype=bool)
    for band, (path) in files.items():
        samples, on_file = on_grid(path, transform, shape)
        bands[band] = np.where(on_file & (samples != 0), samples.astype(np.float64), np.nan)
    if keep is not None:
        mask, on_file = on_grid(keep[0], transform, shape, keep[1](read(keep[0])))
        found = on_file & mask
    with np.errstate(all="ignore"):
        outputs = {key: np.where(found, values, np.nan) for key, values in formula(bands).items()}
    calculation = {"percentiles": PERCENTS}
    more = dict(more or {})
    if "histogram" in more:
        calculation["histogram"] = more.pop("histogram")
    data = {"type": collection}
    if "units" in more:
        data["processing"] = {"units": more.pop("units")}
    code = f"EPSG:{crs.to_epsg()}"
    body = {
        "input": {
            "bounds": bounds or {"geometry": geometry, "properties": {"crs": code}},
            "data": [data],
        },
        "aggregation": {
            "timeRange": {"from": day, "to": day},
            **(size if size is not None else {"resx": transform.a, "resy": -transform.e}),
        },
        **output,
        **more,
        "calculations": {"default": calculation},
    }
    CASES.append({"name": name, "body": body, "outputs": {k: numbers(v, inside, histogram) for k, v in outputs.items()}})


def bbox(west, south, east, north, epsg):
    return {"bbox": [west, south, east, north], "properties": {"crs": f"EPSG:{epsg}"}}


def sahara(*bands):
    return {band: f"{SAHARA}/{band}.tif" for band in bands}


def sr(band):
    return band * 0.0000275 - 0.2


SCL = (f"{SAHARA}/SCL.tif", scl_kept)
with rasterio.open(FIXTURES / SAHARA / "B04.tif") as source:
    X, Y = source.bounds.left, source.bounds.top
NDVI = lambda b: {"ndvi": (b["B08"] / 10_000 - b["B04"] / 10_000) / (b["B08"] / 10_000 + b["B04"] / 10_000)}
DAY = "2020-02-19"

# five boxes
extent = (X + 20_000, Y - 60_000, X + 50_000, Y - 40_000)
case("a box of two bands, masked by default", "sentinel-2-l2a", DAY, sahara("B04", "B08"), box(*extent),
     lambda b: {"red": b["B04"] / 10_000, "B08": b["B08"] / 10_000}, {"bands": ["red", "B08"]}, SCL, bbox(*extent, 32629))
extent = (X + 60_000, Y - 100_000, X + 110_000, Y - 80_000)
case("a box at the edge of the file, whose corner has no data", "sentinel-2-l2a", DAY, sahara("B08", "B04"), box(*extent),
     NDVI, {"index": "ndvi"}, SCL, bbox(*extent, 32629),
     more={"histogram": {"nBins": 16}}, histogram=lambda v: (None, 16))
extent = (X + 5_000, Y - 105_000, X + 104_000, Y - 6_000)
case("a box of nearly the whole file, nothing but fill dropped", "sentinel-2-l2a", DAY, sahara("B02"), box(*extent),
     lambda b: {"blue": b["B02"] / 10_000}, {"bands": ["blue"]}, (SCL[0], lambda s: scl_kept(s, (0,))), bbox(*extent, 32629),
     more={"cloudMask": {"exclude": []}, "histogram": {"bins": [0.1, 0.2, 0.3, 0.4, 0.5]}},
     histogram=lambda v: (None, [0.1, 0.2, 0.3, 0.4, 0.5]))
with rasterio.open(FIXTURES / f"{COLOMBIA}ST_B10.TIF") as source:
    CX, CY, CA, CE, CODE = source.bounds.left, source.bounds.top, source.transform.a, -source.transform.e, source.crs.to_epsg()
extent = (CX + 100 * CA, CY - 400 * CE, CX + 300 * CA, CY - 120 * CE)
case("a box of surface temperature in kelvin", "landsat-ot-l2", "2019-12-01", {"ST_B10": f"{COLOMBIA}ST_B10.TIF"}, box(*extent),
     lambda b: {"lwir11": b["ST_B10"] * 0.00341802 + 149}, {"bands": ["lwir11"]},
     (f"{COLOMBIA}QA_PIXEL.TIF", qa_kept), bbox(*extent, CODE), size={"width": 200, "height": 280})
case("the same box in degrees Celsius, with bins of one degree", "landsat-ot-l2", "2019-12-01",
     {"ST_B10": f"{COLOMBIA}ST_B10.TIF"}, box(*extent),
     lambda b: {"lwir11": b["ST_B10"] * 0.00341802 + (149 - 273.15)}, {"bands": ["lwir11"]},
     (f"{COLOMBIA}QA_PIXEL.TIF", qa_kept), bbox(*extent, CODE), size={"width": 200, "height": 280},
     more={"units": "CELSIUS", "histogram": {"binWidth": 1, "lowEdge": 15, "highEdge": 30}},
     histogram=lambda v: (None, np.arange(15, 31)))


# ten polygons
def star(x, y, inner, outer, spikes, turn=0.1):
    points = []
    for i in range(2 * spikes):
        radius = outer if i % 2 == 0 else inner
        angle = math.pi * i / spikes + turn
        points.append([round(x + radius * math.cos(angle), 3), round(y + radius * math.sin(angle), 3)])
    return [*points, points[0]]


def polygon(*rings_):
    return {"type": "Polygon", "coordinates": list(rings_)}


case("a star", "sentinel-2-l2a", DAY, sahara("B08", "B04"), polygon(star(X + 50_013, Y - 50_021, 5000, 15_000, 7)),
     NDVI, {"index": "ndvi"}, SCL)
case("a ring", "sentinel-2-l2a", DAY, sahara("B08", "B04"),
     polygon(star(X + 40_000, Y - 70_000, 12_000, 14_000, 20), star(X + 40_000, Y - 70_000, 6000, 7000, 9)[::-1]),
     NDVI, {"index": "ndvi"}, SCL)
case("two parts", "sentinel-2-l2a", DAY, sahara("B04"),
     {"type": "MultiPolygon", "coordinates": [[star(X + 30_000, Y - 30_000, 3000, 9000, 5)], [star(X + 70_000, Y - 50_000, 4000, 8000, 6)]]},
     lambda b: {"B04": b["B04"] / 10_000}, {"bands": ["B04"]}, SCL)
case("a sliver", "sentinel-2-l2a", DAY, sahara("B03"),
     polygon([[X + 20_050, Y - 20_030], [X + 90_000, Y - 61_000], [X + 90_300, Y - 61_050], [X + 20_050, Y - 20_030]]),
     lambda b: {"green": b["B03"] / 10_000}, {"bands": ["green"]}, SCL)
case("a polygon beyond the edge of the file", "sentinel-2-l2a", DAY, sahara("B8A"),
     polygon(star(X + 103_000, Y - 60_000, 8000, 21_000, 5)),
     lambda b: {"nir08": b["B8A"] / 10_000}, {"bands": ["nir08"]}, SCL)
case("an expression of three bands", "sentinel-2-l2a", DAY, sahara("B08", "B04", "B02"),
     polygon(star(X + 60_000, Y - 30_000, 9000, 16_000, 4)),
     lambda b: {"expression": 2.5 * (b["B08"] / 10_000 - b["B04"] / 10_000) / (b["B08"] / 10_000 + 6 * (b["B04"] / 10_000) - 7.5 * (b["B02"] / 10_000) + 1)},
     {"expression": "2.5 * (nir - B04) / (nir + 6 * red - 7.5 * blue + 1)"}, SCL)
case("class 7 as cloud, and clouds grown by 500 m", "sentinel-2-l2a", DAY, sahara("B08", "B04"),
     polygon(star(X + 98_600, Y - 12_200, 5000, 11_000, 8)), NDVI, {"index": "ndvi"},
     (SCL[0], lambda s: disc(scl_kept(s, (0, 1, 3, 7, 8, 9, 10)), np.isin(s, (3, 7, 8, 9)), 2.5)),
     more={"cloudMask": {"scl7": "cloud", "dilate_m": 500}})
case("a polygon at the default resolution", "sentinel-2-l2a", DAY, sahara("B08", "B04"), polygon(star(X + 80_000, Y - 20_000, 900, 2100, 5)),
     NDVI, {"index": "ndvi"}, SCL, size={}, step=10)
case("stored numbers", "sentinel-2-l2a", DAY, sahara("B11"), polygon(star(X + 35_000, Y - 85_000, 9000, 16_000, 6)),
     lambda b: {"swir16": b["B11"]}, {"bands": ["swir16"]}, SCL, more={"units": "DN"})
case("Landsat, dilated cloud and snow dropped too", "landsat-ot-l2", "2019-12-01",
     {"SR_B5": f"{COLOMBIA}SR_B5.TIF", "SR_B4": f"{COLOMBIA}SR_B4.TIF"},
     polygon(star(CX + 110_000, CY - 120_000, 30_000, 70_000, 6)),
     lambda b: {"ndvi": (sr(b["SR_B5"]) - sr(b["SR_B4"])) / (sr(b["SR_B5"]) + sr(b["SR_B4"]))}, {"index": "ndvi"},
     (f"{COLOMBIA}QA_PIXEL.TIF", lambda s: qa_kept(s, ("cloud", "cloud_shadow", "cirrus", "cloud_adjacent", "snow_ice"))),
     more={"cloudMask": {"exclude": ["cloud", "cloud_shadow", "cirrus", "cloud_adjacent", "snow_ice"], "dilate_m": 600}})


# series of polygons that are long and thin, or far apart: on the whole grid of 10 m around them
SERIES = []


def river(x, y, length, width, bends):
    """A band of `width` metres that swings up and down on its way to the east."""
    def bank(shift):
        return [
            [round(x + length * i / (8 * bends), 1), round(y + 15_000 * math.sin(2 * math.pi * i / 8) + shift, 1)]
            for i in range(8 * bends + 1)
        ]
    ring = [*bank(0), *reversed(bank(-width))]
    return polygon([*ring, ring[0]])


def inside_degrees(geometry, lon, lat):
    """Points in a polygon whose edges are straight in degrees: how often a ray to the east crosses them."""
    found = np.zeros(len(lon), dtype=bool)
    for ring in rings(geometry):
        for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
            at = np.nonzero((y1 > lat) != (y2 > lat))[0]
            found[at] ^= lon[at] < (x2 - x1) * (lat[at] - y1) / (y2 - y1) + x1
    return found


def series(name, geometry):
    """NDVI of a polygon in the CRS of the files, which is asked for in degrees: its edges are straight there."""
    asked = in_degrees(geometry)
    points = np.array([p for ring in rings(geometry) for p in ring])
    left, top = math.floor(points[:, 0].min() / 10) - 20, math.ceil(points[:, 1].max() / 10) + 20
    right, bottom = math.ceil(points[:, 0].max() / 10) + 20, math.floor(points[:, 1].min() / 10) - 20
    transform, shape = rasterio.Affine(10, 0, left * 10, 0, -10, top * 10), (top - bottom, right - left)
    # edges that are straight in degrees bend here, by some metres: pixels near them are candidates
    near = geometry_mask([geometry], shape, transform, all_touched=True, invert=True)
    for axis in (0, 1):
        near |= np.logical_or.reduce([np.roll(near, step, axis) for step in (-3, -2, -1, 1, 2, 3)])
    rows, columns = np.nonzero(near)
    x, y = transform * (columns + 0.5, rows + 0.5)
    with rasterio.open(FIXTURES / SAHARA / "B04.tif") as source:
        lon, lat = rasterio.warp.transform(source.crs, "EPSG:4326", x, y)
    inside = inside_degrees(asked, np.array(lon), np.array(lat))
    x, y = x[inside], y[inside]

    def under(path, samples=None):
        with rasterio.open(FIXTURES / path) as source:
            samples = source.read(1) if samples is None else samples
            c, r = ~source.transform * (x, y)
        c, r = np.floor(c).astype(int), np.floor(r).astype(int)
        on = (c >= 0) & (r >= 0) & (c < samples.shape[1]) & (r < samples.shape[0])
        return samples[np.clip(r, 0, samples.shape[0] - 1), np.clip(c, 0, samples.shape[1] - 1)], on

    bands, found = {}, np.ones(len(x), dtype=bool)
    for band in ("B08", "B04"):
        samples, on = under(f"{SAHARA}/{band}.tif")
        bands[band] = np.where(on & (samples != 0), samples.astype(np.float64), np.nan)
    kept, on = under(SCL[0], scl_kept(read(SCL[0])))
    with np.errstate(all="ignore"):
        values = np.where(on & kept, NDVI(bands)["ndvi"], np.nan)
    valid = values[np.isfinite(values)]
    SERIES.append({
        "name": name,
        "geometry": asked,
        "pixels": len(x),
        "box": shape[0] * shape[1],
        "validFraction": valid.size / len(x),
        "values": {"mean": valid.mean(), "median": np.median(valid), "min": valid.min(), "max": valid.max()},
        "reducers": {"stdDev": valid.std(), "count": valid.size, "p2.5": np.percentile(valid, 2.5), "p90": np.percentile(valid, 90)},
    })


def in_degrees(geometry):
    """The same corners in degrees."""
    def ring_of(ring):
        with rasterio.open(FIXTURES / SAHARA / "B04.tif") as source:
            lon, lat = rasterio.warp.transform(source.crs, "EPSG:4326", *zip(*ring[:-1]))
        moved = [[round(a, 9), round(b, 9)] for a, b in zip(lon, lat)]
        return [*moved, moved[0]]

    coordinates = geometry["coordinates"]
    if geometry["type"] == "Polygon":
        return {"type": "Polygon", "coordinates": [ring_of(ring) for ring in coordinates]}
    return {"type": "MultiPolygon", "coordinates": [[ring_of(ring) for ring in part] for part in coordinates]}


def square(x, y, side):
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]


series("a river of 100 km and 45 m", river(X + 3_004, Y - 52_003, 100_000, 45, 3))
series("two fields 85 km apart", {
    "type": "MultiPolygon",
    "coordinates": [[square(X + 12_003, Y - 92_007, 1203)], [square(X + 82_001, Y - 42_004, 2107)]],
})
print(json.dumps({"grids": GRIDS, "cases": CASES, "series": SERIES}, indent=1, default=float))
