"""Results of more-graphs.ts: see expected.py."""
import math
import subprocess
import tempfile
from pathlib import Path

from archive import *  # noqa: F403

FINE = (380700, 5042500, 381050, 5042900)
BLOCKS = ("EPSG:32633", (35, 35))
AS_DEGREES = ("EPSG:4326", (0.0004, 0.0003))
LINE = [(13.4731, 45.5264), (13.4772, 45.5297), (13.4775, 45.5266)]
POINTS = [(13.4733, 45.5267), (13.4769, 45.5291)]
BEYOND = {"type": "Polygon", "coordinates": [[[13.4705, 45.5262], [13.4755, 45.5262], [13.4755, 45.5291], [13.4705, 45.5291], [13.4705, 45.5262]]]}


def box_grid(west, south, east, north, size):
    return from_origin(west, north, size, size), (round((north - south) / size), round((east - west) / size)), "EPSG:32633"


def envelope(west, south, east, north, to):
    """The box around a box of metres in another CRS: 21 points a side."""
    t = np.linspace(0, 1, 22)
    x = np.concatenate([west + t * (east - west)] * 2 + [np.full(22, west), np.full(22, east)])
    y = np.concatenate([np.full(22, south), np.full(22, north)] + [south + t * (north - south)] * 2)
    a, b = transform("EPSG:32633", to, x, y)
    return min(a), min(b), max(a), max(b)


def warped(array, grid, crs, resolution, method, align="upper-left", box=FINE):
    """Of each band what gdalwarp makes of it on pixels from a corner of the box."""
    affine, shape, source = grid
    west, south, east, north = box if crs == source else envelope(*box, crs)
    width = math.floor((east - west) / resolution[0] + 0.5 + 1e-6)
    height = math.floor((north - south) / resolution[1] + 0.5 + 1e-6)
    left = west if align.endswith("left") else east - width * resolution[0]
    top = north if align.startswith("upper") else south + height * resolution[1]
    te = [left, top - height * resolution[1], left + width * resolution[0], top]
    options = []
    if method in ("bilinear", "cubic"):
        # source pixels that a target pixel is large at the centre, whole where they are nearly
        c, r = width / 2, height / 2
        at = lambda i, k: np.array(transform(crs, source, [left + (c + i) * resolution[0]], [top - (r + k) * resolution[1]])).ravel() / affine.a
        pixels = [np.hypot(*(at(0.5, 0) - at(-0.5, 0))), np.hypot(*(at(0, 0.5) - at(0, -0.5)))]
        pixels = [round(p) if round(p) > 0 and abs(p - round(p)) < 0.05 else p for p in pixels]
        options = [f for name, p in zip("XY", pixels) for f in ("-wo", f"{name}SCALE={1 / max(1, p)!r}")]
    out = []
    with tempfile.TemporaryDirectory() as directory:
        a, b = Path(directory) / "a.tif", Path(directory) / "b.tif"
        for band in array.reshape(-1, *array.shape[-2:]):
            with rasterio.open(a, "w", driver="GTiff", width=shape[1], height=shape[0], count=1, dtype="float64", nodata=np.nan,
                               crs=source, transform=affine) as file:
                file.write(band, 1)
            subprocess.run(["gdalwarp", "-q", "-overwrite", "-et", "0", "-r", method, "-t_srs", crs, "-te", *map(repr, te),
                            "-ts", str(width), str(height), "-dstnodata", "nan", *options, a, b], check=True)
            with rasterio.open(b) as file:
                out.append(file.read(1))
    return np.array(out), (from_origin(left, top, *resolution), (height, width), crs)


def touched(lines, grid):
    """Pixels that lines in degrees pass through: by very many points of them."""
    affine, shape, _ = grid
    found = np.zeros(shape, bool)
    for line in lines:
        for (x1, y1), (x2, y2) in zip(line, line[1:]):
            t = np.linspace(0, 1, 200_001)
            x, y = transform("EPSG:4326", "EPSG:32633", x1 + t * (x2 - x1), y1 + t * (y2 - y1))
            k, r = ~affine * (np.array(x), np.array(y))
            ok = (k >= 0) & (k < shape[1]) & (r >= 0) & (r < shape[0])
            found[np.floor(r[ok]).astype(int), np.floor(k[ok]).astype(int)] = True
    return found


def dots(points, grid):
    return touched([[point, point] for point in points], grid)


def landsat_red(grid):
    path = next((ARCHIVE / "assets/landsat-c2-l2/2024/191/028").glob("LC08*20240705*/*SR_B4.TIF")).relative_to(ARCHIVE)
    stored = samples(path, grid).astype(float)
    return np.where(stored == 0, np.nan, stored * 0.0000275 - 0.2)


def clipped_grid(condition, grid):
    """The rows and columns of a grid in which there is a pixel that meets a condition."""
    affine, _, crs = grid
    r, k = np.flatnonzero(condition.any(1)), np.flatnonzero(condition.any(0))
    size = affine.a
    kept = from_origin(affine.c + k[0] * size, affine.f - r[0] * size, size, size), (r[-1] - r[0] + 1, k[-1] - k[0] + 1), crs
    return kept, condition[r[0] : r[-1] + 1, k[0] : k[-1] + 1]


def results():
    found = {}
    fine = box_grid(WEST, SOUTH, EAST, NORTH, 10)
    shape = fine[1]
    found["the number of dates, of which no pixel is needed"] = raster(np.full((1, *shape), 4.0))
    found["the sum of a constant over t"] = raster(np.full((1, *shape), 20.0))
    found["dates by year"] = raster(np.array([np.full(shape, n, float) for n in (2, 0, 0, 2)]))
    red = cube(STEPS, ("B04",), fine)
    found["two summers as one series"] = raster(red[1:])
    found["two sensors as one series"] = raster(np.array([red[2, 0], landsat_red(fine), red[3, 0]]))
    found["an index of all bands"] = raster(ndvi(cube(JULY, ("B04", "B08"), fine)))
    names = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B11", "B12", "SCL", "AOT", "WVP", "CLD", "SNW"]
    found["bands of a load that names none"] = names
    found["filter_bands by wavelengths"] = raster(cube(JULY, ("B8A", "B04")))
    found["quantiles by q"] = raster(np.quantile(red[:, 0], [0.25, 0.5, 0.75], axis=0))

    # centres from 380,610 to 381,390 and from 5,042,390 to 5,042,990, both ends included
    found["an extent off the pixels"] = raster(cube(JULY, grid=box_grid(380600, 5042380, 381400, 5043000, 20)))
    box = {"type": "Polygon", "coordinates": [[[13.473, 45.5265], [13.481, 45.5265], [13.481, 45.531], [13.473, 45.531], [13.473, 45.5265]]]}
    around = box_of(box)
    grid, kept = clipped_grid(inside(box, around), around)
    values = cube(JULY, grid=grid)
    found["an extent in degrees"] = raster(np.where(kept, values, np.nan))
    found["a number of no data in an extent in degrees"] = raster(np.where(kept, np.nan_to_num(values), np.nan))

    box = {"type": "Polygon", "coordinates": [[*LINE, *POINTS, LINE[0]]]}
    grid = box_of(box, 10)
    values = cube(JULY, ("B04",), grid)
    x, y = centres(grid)
    within = (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)
    thin = touched([LINE], grid) | dots(POINTS, grid)
    values[:, :, ~thin | ~within] = np.nan
    rows, columns = within.any(1), within.any(0)
    found["filter_spatial of a line and points"] = raster(values[:, :, rows][:, :, :, columns])
    grid = centred(TRIANGLE, 10)
    values = 2 * cube(JULY, ("B04",), grid)
    values[:, :, ~inside(TRIANGLE, grid)] = np.nan
    found["filter_spatial of a polygon after a filter of values"] = raster(values)

    grid = box_of(box)
    x, y = centres(grid)
    within = (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)
    values = cube(JULY, grid=grid)
    geometries = [touched([LINE], grid) & within, dots(POINTS, grid) & within]
    found["aggregate_spatial of a line and points"] = {
        step[0]: [[float(np.mean(band[kept])) for band in bands] for kept in geometries] for step, bands in zip(JULY, values)
    }

    grid = box_of(BEYOND, 10)
    x, y = centres(grid)
    kept = inside(BEYOND, grid) & (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)
    rows, zeros = {}, {}
    for step, (band,) in zip(JULY, cube(JULY, ("B04",), grid)):
        bright = band[kept & (band >= 0.06)]
        rows[step[0]] = [[float(bright.mean()), int(kept.sum()), len(bright)]]
        zeros[step[0]] = [[float(np.nan_to_num(band[kept]).mean())]]
    found["aggregate_spatial with counts"] = rows
    found["aggregate_spatial of what is computed of no data"] = zeros

    grid = box_grid(*FINE, 10)
    values = cube(JULY, ("B04",), grid)
    for method in ("bilinear", "cubic", "average", "rms", "sum", "min", "max", "q1", "med", "q3"):
        found[f"resample_spatial by {method}"] = raster(warped(values, grid, *BLOCKS, method)[0])
    for method in ("bilinear", "cubic", "average", "max"):
        found[f"resample_spatial to degrees by {method}"] = raster(warped(values, grid, *AS_DEGREES, method)[0])
    classes_grid = (from_origin(380700, 5042900, 20, 20), (20, 18), "EPSG:32633")
    classes = cube(JULY, ("SCL",), classes_grid)
    # the last centre is in the extent, on its edge
    found["resample_spatial by mode"] = raster(warped(classes, classes_grid, *BLOCKS, "mode")[0])
    found["resample_spatial to finer pixels by cubic"] = raster(warped(values, grid, "EPSG:32633", (4, 4), "cubic")[0])
    for align in ("lower-left", "lower-right", "upper-right"):
        found[f"resample_spatial from the {align}"] = raster(warped(values, grid, *BLOCKS, "average", align)[0])

    both = cube(JULY, grid=classes_grid)
    index = ndvi(np.where(classes >= 8, np.nan, both))
    found["resample_spatial of a masked index by average"] = raster(
        np.nanmean(warped(index, classes_grid, *AS_DEGREES, "average")[0], 0)[None]
    )
    coarse, coarse_grid = warped((classes >= 8).astype(float), classes_grid, "EPSG:32633", (70, 70), "max")
    # a pixel outside of the mask is not masked
    masked = np.nan_to_num(np.array([nearest(band, coarse_grid, grid) for band in coarse])) == 1
    found["a mask of larger pixels"] = raster(np.where(masked[:, None], np.nan, values))
    nir = cube(JULY, ("B8A",), classes_grid)
    coarse, coarse_grid = warped(nir, classes_grid, "EPSG:32633", (70, 70), "average")
    found["merge_cubes of larger pixels"] = raster(
        np.array([[red_band[0], nearest(band, coarse_grid, grid)] for red_band, band in zip(values, coarse)])
    )
    coarse, coarse_grid = warped(values, grid, "EPSG:32633", (20, 20), "max")
    found["resample_spatial twice"] = raster(warped(coarse, coarse_grid, "EPSG:32633", (50, 50), "near")[0])
    coarse, coarse_grid = warped(cube(JULY, ("B04",), fine), fine, "EPSG:32633", (40, 40), "min", box=(WEST, SOUTH, EAST, NORTH))
    kept = inside(TRIANGLE, coarse_grid)
    found["aggregate_spatial of larger pixels"] = {step[0]: [[float(band[kept].sum())]] for step, band in zip(JULY, coarse)}
    return found


def nearest(band, source, target):
    """Values of a band under the centres of another grid of the same CRS."""
    x, y = centres(target)
    k, r = ~source[0] * (x, y)
    ok = (k >= 0) & (k < source[1][1]) & (r >= 0) & (r < source[1][0])
    out = np.full(target[1], np.nan)
    out[ok] = band[np.floor(r[ok]).astype(int), np.floor(k[ok]).astype(int)]
    return out
