"""Results of graphs.ts and more-graphs.ts by rasterio, numpy and gdalwarp, from the files of the synthetic archive alone:

/usr/bin/python3 expected.py ARCHIVE > expected.json

Of rasters the number, mean and every 37th of the values of each band, null for no data; what is aggregated is as openEO's JSON has it.
"""
import json

import more
from archive import *  # noqa: F403

full, red, july = cube(), cube(bands=("B04",)), cube(JULY)
scl = cube(JULY, ("SCL",))
july_red = july[:, :1]
results = {}
results["load_collection of two bands"] = raster(full)
results["filter_temporal and filter_bands by common name"] = raster(july[:, 1:])
small = (from_origin(380700, 5042900, 10, 10), (40, 40), "EPSG:32633")
results["filter_bbox"] = raster(cube(bands=("B04",), grid=small))
triangle_grid = centred(TRIANGLE, 10)
c = cube(JULY, ("B04",), triangle_grid)
c[:, :, ~inside(TRIANGLE, triangle_grid)] = np.nan
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
# on the pixels of the first cube
both = cube(grid=(from_origin(WEST, NORTH, 10, 10), (60, 80), "EPSG:32633"))
results["merge_cubes of bands"] = raster(both)
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
results.update(more.results())
json.dump(results, sys.stdout)
