"""As read-cases.ts, by GDAL: /usr/bin/python3 read_cases.py TASK FIRST."""

import hashlib
import json
import resource
import sys
import time

from osgeo import gdal

gdal.DontUseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
gdal.SetCacheMax(64 << 20)
gdal.PushErrorHandler("CPLQuietErrorHandler")


def read(content, task, window=None):
    gdal.ErrorReset()
    gdal.FileFromMemBuffer("/vsimem/case.tif", content)
    digest = None
    dataset = gdal.OpenEx("/vsimem/case.tif", gdal.OF_RASTER, allowed_drivers=["GTiff"])
    worst = gdal.GetLastErrorType()
    if dataset is not None and dataset.RasterCount > 0:
        width, height, count = dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount
        across, down = min(width, task["maxSide"]), min(height, task["maxSide"])
        x, y = 0, 0
        if window is not None:
            x, y, across, down = window["x"], window["y"], window["width"], window["height"]
        most = max(1, task["maxSamples"] // (across * down))
        bands = list(range(1, min(count, most) + 1))
        pixels = dataset.ReadRaster(x, y, across, down, band_list=bands)
        if pixels is not None:
            kind = gdal.GetDataTypeName(dataset.GetRasterBand(1).DataType)
            seen = hashlib.md5(f"{width} {height} {count} {kind}".encode())
            seen.update(pixels)
            digest = seen.hexdigest()
        worst = max(worst, gdal.GetLastErrorType())
    dataset = None
    gdal.Unlink("/vsimem/case.tif")
    return digest, worst


def main():
    with open(sys.argv[1]) as text:
        task = json.load(text)
    place = 0
    for file in task["files"]:
        with open(file["path"], "rb") as opened:
            content = opened.read()
        for i in range(-1, len(file["damages"])):
            if place >= int(sys.argv[2]):
                damage = file["damages"][i] if i >= 0 else {}
                print(json.dumps(line_of(i, content, damage, task)), flush=True)
            place += 1


def line_of(i, content, damage, task):
    copy = bytearray(content)
    if "length" in damage:
        copy = copy[: damage["length"]]
    if "at" in damage:
        copy[damage["at"]] ^= damage["xor"]
    window = damage.get("window")
    start = time.time()
    digest, worst_class = read(bytes(copy), task, window)
    line = {"i": i, "ms": (time.time() - start) * 1000}
    if window is not None:
        line["expected"] = read(content, task, window)[0] or ""
    line["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if digest is None:
        line["error"] = "failed"
    else:
        line["digest"] = digest
        if worst_class >= gdal.CE_Failure:
            line["said"] = "error"
        elif worst_class >= gdal.CE_Warning:
            line["said"] = "warning"
    return line


main()
