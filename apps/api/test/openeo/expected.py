"""Results of graphs.ts by rasterio and numpy, from the files of the synthetic archive alone:

/usr/bin/python3 expected.py ARCHIVE > expected.json

Of rasters the number, mean and every 37th of the values of each band, null for no data; what is aggregated is as openEO's JSON has it.
"""
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
from rasterio.features import geometry_mask
from rasterio.transform import from_origin
from rasterio.warp import transform, transform_geom

warnings.filterwarnings("ignore")
ARCHIVE = Path(sys.argv[1])
TILE = "assets/sentinel-2-c1-l2a/33/T/UL"
# label, folder, offset of the processing baseline
STEPS = [
    ("2021-03-19T09:59:41Z", "2021/3/S2B_T33TUL_20210319T095331_L2A", 0.0),
    ("2021-07-05T10:07:41Z", "2021/7/S2A_T33TUL_20210705T100211_L2A", 0.0),
    ("2024-07-04T10:07:41Z", "2024/7/S2B_T33TUL_20240704T100211_L2A", -0.1),
    ("2024-07-06T09:59:41Z", "2024/7/S2A_T33TUL_20240706T095331_L2A", -0.1),
]
JULY = STEPS[2:]
WEST, SOUTH, EAST, NORTH = 380600, 5042400, 381400, 5043000
GRID = (from_origin(WEST, NORTH, 20, 20), (30, 40), "EPSG:32633")
TRIANGLE = {"type": "Polygon", "coordinates": [[[13.4725, 45.526], [13.4795, 45.526], [13.476, 45.53], [13.4725, 45.526]]]}
SQUARE = {"type": "Polygon", "coordinates": [[[13.473, 45.5265], [13.477, 45.5265], [13.477, 45.5295], [13.473, 45.5295], [13.473, 45.5265]]]}
POINT = (13.4761, 45.5272)


def samples(path, grid):
    """Samples of a file under the pixel centres of a grid: nearest neighbour, full resolution."""
    affine, shape, crs = grid
    rows, columns = np.indices(shape)
    x, y = affine * (columns + 0.5, rows + 0.5)
    with rasterio.open(ARCHIVE / path) as source:
        if crs != source.crs.to_string():
            x, y = transform(crs, source.crs, x.ravel(), y.ravel())
            x, y = np.array(x).reshape(shape), np.array(y).reshape(shape)
        column, row = ~source.transform * (x, y)
        return source.read(1)[np.floor(row).astype(int), np.floor(column).astype(int)]


def values(step, band, grid=GRID):
    _, folder, offset = step
    stored = samples(f"{TILE}/{folder}/{band}.tif", grid).astype(float)
    stored[stored == 0] = np.nan
    # what is stored is ten thousandths, and so is the offset
    return stored if band == "SCL" else (stored + round(offset * 10_000)) / 10_000


def cube(steps=STEPS, bands=("B04", "B8A"), grid=GRID):
    return np.array([[values(step, band, grid) for band in bands] for step in steps])


def inside(geometry, grid):
    """Pixels whose centres are in a polygon in degrees, whose edges are straight there."""
    affine, shape, crs = grid
    rows, columns = np.indices(shape)
    x, y = affine * (columns + 0.5, rows + 0.5)
    lon, lat = transform(crs, "EPSG:4326", x.ravel(), y.ravel())
    ring = geometry["coordinates"][0]
    found = np.zeros(len(lon), bool)
    lon, lat = np.array(lon), np.array(lat)
    for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
        crosses = (y1 > lat) != (y2 > lat)
        with np.errstate(all="ignore"):
            found ^= crosses & (lon < (x2 - x1) * (lat - y1) / (y2 - y1) + x1)
    return found.reshape(shape)


def box_of(geometry, size=20):
    """The grid around a polygon: whole multiples of the pixel size."""
    ring = np.array(geometry["coordinates"][0])
    # its edges, which are straight in degrees, densified
    t = np.linspace(0, 1, 200)[:, np.newaxis]
    points = np.concatenate([start + t * (end - start) for start, end in zip(ring, ring[1:])])
    x, y = transform("EPSG:4326", "EPSG:32633", points[:, 0], points[:, 1])
    left, right = np.floor(min(x) / size) * size, np.ceil(max(x) / size) * size
    bottom, top = np.floor(min(y) / size) * size, np.ceil(max(y) / size) * size
    return from_origin(left, top, size, size), (int((top - bottom) / size), int((right - left) / size)), "EPSG:32633"


def listed(array):
    """Numbers as JSON has them: null for no data."""
    if isinstance(array, np.ndarray) and array.ndim > 0:
        return [listed(part) for part in array]
    return None if not np.isfinite(array) else float(array)


def raster(bands):
    """Of each band the number and mean of its values, and every 37th value."""
    bands = np.asarray(bands, float)
    described = []
    for band in bands.reshape(-1, *bands.shape[-2:]):
        valid = int(np.isfinite(band).sum())
        mean = float(np.nanmean(band)) if valid > 0 else None
        described.append({"valid": valid, "mean": mean, "samples": listed(band.ravel()[::37])})
    return {"shape": list(bands.shape[-2:]), "bands": described}


def ndvi(c):
    return (c[:, 1] - c[:, 0]) / (c[:, 1] + c[:, 0])


def areas(reduce, steps=STEPS, bands=("B04", "B8A"), geometries=(TRIANGLE, SQUARE)):
    """By time, an array of geometries, each an array of bands."""
    rows = {}
    for step in steps:
        rows[step[0]] = []
        for geometry in geometries:
            grid = box_of(geometry)
            kept = inside(geometry, grid)
            # the cube has no data outside of its own extent
            affine, shape, _ = grid
            r, k = np.indices(shape)
            x, y = affine * (k + 0.5, r + 0.5)
            kept &= (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)
            rows[step[0]].append([float(reduce(values(step, band, grid)[kept])) for band in bands])
    return rows


full, red, july = cube(), cube(bands=("B04",)), cube(JULY)
scl = cube(JULY, ("SCL",))
july_red = july[:, :1]
results = {}
results["load_collection of two bands"] = raster(full)
results["filter_temporal and filter_bands by common name"] = raster(july[:, 1:])
small = (from_origin(380700, 5042900, 10, 10), (40, 40), "EPSG:32633")
results["filter_bbox"] = raster(cube(bands=("B04",), grid=small))
triangle_grid = box_of(TRIANGLE, 10)
c = cube(JULY, ("B04",), triangle_grid)
r, k = np.indices(triangle_grid[1])
gx, gy = triangle_grid[0] * (k + 0.5, r + 0.5)
c[:, :, ~inside(TRIANGLE, triangle_grid) | (gx < WEST) | (gx > EAST) | (gy < SOUTH) | (gy > NORTH)] = np.nan
results["filter_spatial"] = raster(c)
bad = np.isin(scl, (3, 7, 8, 9))
results["mask by classes"] = raster(np.where(bad, np.nan, july))
fine = (from_origin(WEST, NORTH, 10, 10), (60, 80), "EPSG:32633")
fine_red = cube(JULY, ("B04",), fine)
results["mask with a replacement"] = raster(np.where(cube(JULY, ("SCL",), fine) >= 8, -1, fine_red))
in_triangle, in_square = inside(TRIANGLE, fine), inside(SQUARE, fine)
results["mask_polygon outside"] = raster(np.where(in_triangle | in_square, fine_red, np.nan))
results["mask_polygon inside"] = raster(np.where(in_square, 9, fine_red))
results["ndvi and mean"] = raster(np.nanmean(ndvi(full), 0)[None])
results["ndvi as a band"] = raster(np.concatenate([july, ndvi(july)[:, None]], 1))
results["normalized_difference over bands"] = raster(np.nanmedian(ndvi(full), 0)[None])

red = cube(bands=("B04",), grid=fine)
s = red[:, 0]
results["sum, product, min and max"] = raster((s.prod(0) / s.sum(0) + (s.max(0) - s.min(0)))[None])
results["sd and variance"] = raster((s.std(0, ddof=1) * s.var(0, ddof=1))[None])
results["first and last"] = raster((s[0] - s[-1])[None])
dark = np.where(s < 0.06, np.nan, s)
results["count, and mean that does not ignore no data"] = raster(
    np.where(np.isnan(dark).any(0), (~np.isnan(dark)).sum(0), dark.mean(0))[None]
)
results["count with a condition"] = raster(((s > 0.1).sum(0) / 4)[None])
results["quantiles along t"] = raster(np.quantile(s, [0.1, 0.5, 0.75], axis=0))
results["quartiles by the number of intervals"] = raster(np.quantile(s, [0.25, 0.5, 0.75], axis=0))
with np.errstate(all="ignore"):
    three = np.sqrt(red) + red**2 - np.abs(np.log(red)) * np.exp(np.log10(red))
    results["powers and logarithms"] = raster(three / (np.log(red) / np.log(3)))
clipped = np.clip(np.clip(red, 0.05, 0.12), 0.04, 0.11)
results["clip and linear_scale_range"] = raster((clipped - 0.04) / 0.07 * 10 + 10)
both = (red <= 0.09) & (red >= 0.05)
results["comparisons"] = raster(np.where(both | ~(np.abs(red - 0.07) > 0.01), 1, 0))
value = np.where(red < 0.06, np.nan, red)
results["no data in comparisons"] = raster(np.where((value > 0.1) | np.isnan(value), 2, np.nan))
nothing = np.full((1, *s.shape[1:]), np.nan)
results["aggregate_temporal"] = raster(np.concatenate([s[:2].max(0)[None], nothing, s[1:3].max(0)[None]]))
gap = np.full((2, *GRID[1]), np.nan)
results["aggregate_temporal_period by year"] = raster(np.stack([full[:2].mean(0), gap, gap, full[2:].mean(0)]))
results["merge_cubes of bands"] = raster(full)
results["merge_cubes with a resolver"] = raster(np.concatenate([full[:2], 2 * full[2:]]))
results["merge_cubes without bands into each band"] = raster(july - july.mean(1)[:, None])
coarse = (from_origin(WEST, NORTH, 50, 50), (12, 16), "EPSG:32633")
results["resample_spatial to 100 m"] = raster(cube(JULY, grid=coarse))
# the upper left corner of the extent in degrees
t = np.linspace(0, 1, 22)
ex = np.concatenate([WEST + t * (EAST - WEST)] * 2 + [np.full(22, WEST), np.full(22, EAST)])
ey = np.concatenate([np.full(22, SOUTH), np.full(22, NORTH)] + [SOUTH + t * (NORTH - SOUTH)] * 2)
lon, lat = (np.array(each) for each in transform("EPSG:32633", "EPSG:4326", ex, ey))
shape = (int(np.ceil((lat.max() - lat.min()) / 0.0004)), int(np.ceil((lon.max() - lon.min()) / 0.0005)))
degrees = (from_origin(lon.min(), lat.max(), 0.0005, 0.0004), shape, "EPSG:4326")
c = cube(JULY, ("B04",), degrees)
r, k = np.indices(shape)
x, y = degrees[0] * (k + 0.5, r + 0.5)
x, y = (np.array(each).reshape(shape) for each in transform("EPSG:4326", "EPSG:32633", x.ravel(), y.ravel()))
c[:, :, (x < WEST) | (x > EAST) | (y < SOUTH) | (y > NORTH)] = np.nan
results["resample_spatial to degrees"] = raster(c)
results["rename_labels and array_element"] = raster(cube(bands=("B8A",))[3])
results["add_dimension and merge_cubes"] = raster(np.stack([fine_red[:, 0], 2 * fine_red[:, 0]], 1))
results["dimension_labels"] = [step[0] for step in STEPS]
results["scenes by cloud cover"] = raster(fine_red[:1])
results["aggregate_spatial of two polygons"] = areas(np.nanmean)


def several(v):
    return (
        np.std(v, ddof=1) + np.var(v, ddof=1) + v.sum() + len(v) + v.min() + v.max() + np.median(v) + np.quantile(v, 0.9)
    )


def fine_areas(reduce, steps, geometries):
    """As `areas`, of the red band on its own pixels of 10 m."""
    rows = {}
    for step in steps:
        rows[step[0]] = []
        for geometry in geometries:
            grid = box_of(geometry, 10)
            r, k = np.indices(grid[1])
            x, y = grid[0] * (k + 0.5, r + 0.5)
            kept = inside(geometry, grid)
            v = values(step, "B04", grid)
            v[(x < WEST) | (x > EAST) | (y < SOUTH) | (y > NORTH)] = np.nan
            v = v[kept]
            rows[step[0]].append([float(reduce(v[np.isfinite(v)]))])
    return rows


results["aggregate_spatial of several numbers"] = fine_areas(several, JULY, (TRIANGLE,))
rows = []
(px,), (py,) = transform("EPSG:4326", "EPSG:32633", [POINT[0]], [POINT[1]])
spot = (from_origin(px - 0.005, py + 0.005, 0.01, 0.01), (1, 1), "EPSG:32633")
for step in STEPS:
    b, n = values(step, "B04", spot)[0, 0], values(step, "B8A", spot)[0, 0]
    rows.append([step[0], 0, b, n, (n - b) / (n + b)])
results["aggregate_spatial of a point as CSV"] = {"header": ["date", "feature_index", "B04", "B8A", "NDVI"], "rows": rows}
means = fine_areas(np.mean, STEPS, (TRIANGLE, SQUARE))
years = {}
for year in ("2021", "2022", "2023", "2024"):
    own = [np.array(means[label]) for label in means if label.startswith(year)]
    years[year] = [[None], [None]] if not own else np.max(own, 0).tolist()
results["years of means of polygons"] = years
landsat = next((ARCHIVE / "assets/landsat-c2-l2/2024/191/028").glob("LC08*20240705*/*ST_B10.TIF")).relative_to(ARCHIVE)
# the band's own pixels are of 100 m
grid = (from_origin(WEST, NORTH, 100, 100), (6, 8), "EPSG:32633")
stored = samples(landsat, grid).astype(float)
kelvin = np.where(stored == 0, np.nan, stored * 0.00341802 + 149)
results["surface temperature in kelvin"] = raster(kelvin[None])
grey = np.floor(np.clip(fine_red[:, 0].mean(0), 0, 0.4) / 0.4 * 255 + 0.5)
results["grey values"] = raster(grey[None])
json.dump(results, sys.stdout)
