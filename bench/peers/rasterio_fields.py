"""Means of three indices of each field and month, by rasterio and numpy with threads: rasterio_fields.py PLAN THREADS

PLAN is JSON: folder, months, and fields as rings in the CRS of the files. Prints seconds and the means. Samples are of the
processing baseline 04.00 or later: 1,000 is subtracted.
"""
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import rasterio
from rasterio.features import geometry_window, geometry_mask

plan, threads = json.load(open(sys.argv[1])), int(sys.argv[2])


def month_of(month):
    means = []
    files = [rasterio.open(f"{plan['folder']}/{band}-{month}.tif") for band in ("B04", "B08", "SCL")]
    for ring in plan["fields"]:
        shape = {"type": "Polygon", "coordinates": [ring]}
        window = geometry_window(files[0], [shape])
        red, nir = ((file.read(1, window=window).astype(np.float64) - 1000) / 10_000 for file in files[:2])
        rows, columns = np.indices(red.shape)
        rows, columns = (rows + window.row_off) // 2, (columns + window.col_off) // 2
        top, left = rows[0, 0], columns[0, 0]
        part = rasterio.windows.Window(left, top, columns[0, -1] - left + 1, rows[-1, 0] - top + 1)
        classes = files[2].read(1, window=part)[rows - top, columns - left]
        keep = ~np.isin(classes, (0, 1, 3, 8, 9, 10))
        keep &= geometry_mask([shape], red.shape, files[0].window_transform(window), invert=True)
        r, n = red[keep], nir[keep]
        values = ((n - r) / (n + r), n / r, n - r)
        means.append([float(v.mean()) if v.size else None for v in values])
    return means


start = time.perf_counter()
with ThreadPoolExecutor(threads) as pool:
    found = list(pool.map(month_of, plan["months"]))
print(json.dumps({"seconds": time.perf_counter() - start, "means": found}))
