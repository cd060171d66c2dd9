"""Reads windows of files with GDAL: tasks as JSON on standard input, samples on standard output.

    /usr/bin/python3 read_windows.py < tasks.json > samples

A task is {"path", "level", "x", "y", "width", "height"}; level 0 is the image, others its overviews. The samples of a task follow each
other by band, as they are stored. Milliseconds of the processor of each task, read twice, go to standard error as JSON: [first, second].
"""

import json
import sys
import time

from osgeo import gdal

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_NUM_THREADS", "1")
gdal.SetCacheMax(512 << 20)
times = []
opened = {}
for task in json.load(sys.stdin):
    path = task["path"]
    if task.get("fresh", False):
        opened.pop(path, None)
    dataset = opened.setdefault(path, None) or gdal.Open(path)
    opened[path] = dataset
    own = []
    for attempt in range(2):
        start = time.process_time()
        read = []
        for number in range(dataset.RasterCount):
            band = dataset.GetRasterBand(number + 1)
            band = band if task["level"] == 0 else band.GetOverview(task["level"] - 1)
            read.append(band.ReadAsArray(task["x"], task["y"], task["width"], task["height"]))
        own.append((time.process_time() - start) * 1000)
    times.append(own)
    for samples in read:
        sys.stdout.buffer.write(samples.tobytes())
json.dump(times, sys.stderr)
