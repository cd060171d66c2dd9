"""Extractions by GDAL in a process that has made some before: code is loaded, and with "keep" the files stay open with their
decoded blocks. As a program it answers one line of JSON with another.
"""

import json
import os
import resource
import sys
import time

import numpy
from osgeo import gdal

gdal.UseExceptions()
KEPT_OPEN = {}


def sources(paths, sample_type):
    """The files as one dataset; float32 is reflectance."""
    stack = gdal.BuildVRT("", paths, separate=True)
    if sample_type != "float32":
        return stack
    scale = [[0, 10000, -0.1, 0.9] for _ in paths]
    scaled = gdal.Translate("", stack, format="VRT", outputType=gdal.GDT_Float32, scaleParams=scale)
    return stack, scaled


def warp(order):
    key = (order["sampleType"], *order["paths"])
    held = KEPT_OPEN.get(key) or sources(order["paths"], order["sampleType"])
    if order["keep"]:
        KEPT_OPEN[key] = held
    gdal.Warp(
        order["out"],
        held[1] if isinstance(held, tuple) else held,
        dstSRS=order["crs"],
        outputBounds=order["extent"],
        width=order["width"],
        height=order["height"],
        resampleAlg="near",
        errorThreshold=order.get("errorThreshold"),
        multithread=True,
        warpMemoryLimit=order["warpMemory"],
        warpOptions=["NUM_THREADS=ALL_CPUS"],
        creationOptions=order["creation"],
    )
    return os.path.getsize(order["out"])


def differing(order):
    """Share of the samples of two files that are not the same; NaN is the same as NaN."""
    one, other = (gdal.Open(path) for path in order["files"])
    unequal = count = 0
    for band in range(1, one.RasterCount + 1):
        a, b = (dataset.GetRasterBand(band).ReadAsArray() for dataset in (one, other))
        # the scale is applied in float64 by one, in float32 by the other: the last bits may differ
        same = numpy.isclose(a, b, rtol=1e-6, atol=1e-7, equal_nan=True) if a.dtype.kind == "f" else a == b
        unequal += int(same.size - numpy.count_nonzero(same))
        count += same.size
    return unequal / count


def cpu_now():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    for line in sys.stdin:
        order = json.loads(line)
        start, cpu = time.perf_counter(), cpu_now()
        size, result = (warp(order), None) if order["op"] == "warp" else (0, differing(order))
        cost = {"wall": (time.perf_counter() - start) * 1000, "cpu": (cpu_now() - cpu) * 1000}
        print(json.dumps({**cost, "bytes": size, "result": result}), flush=True)


if __name__ == "__main__":
    main()
