#!/usr/bin/python3
"""Writes PROJ's reading of every EPSG code of a two-dimensional CRS as JSON: definition, shift to WGS 84, points.

    python3 scripts/epsg.py > proj.json     # pyproj, as in Debian's python3-pyproj; some minutes

Then `node scripts/epsg.mjs proj.json` writes what the packages use. PROJ is asked without grid files, as our readers have none.

A line for each code: `code`, `name`, `proj4` without datum, `shift` (the seven parameters of +towgs84: metres, arc seconds,
parts per million; three where the others are 0; empty where coordinates are those of WGS 84), or `reason` why there is none, and
`points`: longitude and latitude in WGS 84, x and y in the CRS (east before north), on a grid over its area of use.
"""
import json
import math
import os
import re
import shutil
import sys
import tempfile
import warnings

import pyproj
from pyproj.aoi import AreaOfInterest
from pyproj.enums import PJType
from pyproj.transformer import TransformerGroup

warnings.simplefilter("ignore")
os.environ["PROJ_NETWORK"] = "OFF"

# Metres (as PROJ states them) that a shift may be off by where a grid file would do better
BEST_WITHOUT_GRID = 1.0
SECONDS = math.pi / 180 / 3600
GRID = re.compile(r"\b(?:hgridshift|vgridshift|gridshift|xyzgridshift|deformation|tinshift|defmodel)\b")
# Ellipsoids of the datums that PROJ names in definitions: their shifts are written out
ELLIPSOIDS = {
    "WGS84": "WGS84", "NAD83": "GRS80", "NAD27": "clrk66", "GGRS87": "GRS80", "potsdam": "bessel", "carthage": "clrk80ign",
    "hermannskogel": "bessel", "ire65": "mod_airy", "nzgd49": "intl", "OSGB36": "airy",
}
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


def without_grids():
    """A folder with PROJ's database alone."""
    folder = tempfile.mkdtemp()
    for candidate in [pyproj.datadir.get_data_dir(), "/usr/share/proj"]:
        if os.path.exists(os.path.join(candidate, "proj.db")):
            shutil.copy(os.path.join(candidate, "proj.db"), folder)
            break
    pyproj.datadir.set_data_dir(folder)


def parameters(text):
    return {word.split("=")[0]: word.split("=")[1] for word in text.split() if "=" in word}


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def applied(m, v):
    return [sum(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def helmert(step):
    """Matrix and translation of a step of PROJ, as in its documentation of helmert and molobadekas; rates count from the epoch."""
    p = parameters(step)
    number = lambda name: float(p.get(name, 0))
    sign = -1 if p.get("convention") == "coordinate_frame" else 1
    rx, ry, rz = (sign * number(name) * SECONDS for name in ("rx", "ry", "rz"))
    k = 1 + number("s") * 1e-6
    matrix = [[k, -rz * k, ry * k], [rz * k, k, -rx * k], [-ry * k, rx * k, k]]
    move = [number("x"), number("y"), number("z")]
    if "proj=molobadekas" in step:
        pivot = [number("px"), number("py"), number("pz")]
        turned = applied(matrix, pivot)
        move = [move[i] + pivot[i] - turned[i] for i in range(3)]
    if re.search(r"\binv\b", step):
        # small angles: the inverse of the rotation is its transpose
        inverse = [[matrix[j][i] / (k * k) for j in range(3)] for i in range(3)]
        return inverse, [-value for value in applied(inverse, move)]
    return matrix, move


def shift_of(pipeline):
    """The seven parameters of a pipeline from the CRS to WGS 84; None where it has steps that they do not say."""
    matrix, move = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]
    for step in pipeline.split(" step ")[1:]:
        if "proj=helmert" in step or "proj=molobadekas" in step:
            next_matrix, next_move = helmert(step)
            matrix = product(next_matrix, matrix)
            move = [a + b for a, b in zip(applied(next_matrix, move), next_move)]
        elif re.search(r"proj=(?:geogoffset|affine|molodensky|deformation)", step):
            return None
    k = (matrix[0][0] + matrix[1][1] + matrix[2][2]) / 3
    turns = [(matrix[2][1] - matrix[1][2]) / 2, (matrix[0][2] - matrix[2][0]) / 2, (matrix[1][0] - matrix[0][1]) / 2]
    seven = [*(round(value, 4) for value in move), *(round(t / k / SECONDS, 6) for t in turns), round((k - 1) * 1e6, 6)]
    if not any(seven):
        return ""
    return ",".join(f"{value + 0.0:g}" if value == round(value, 4) and abs(value) < 10 else repr(value + 0.0).removesuffix(".0") for value in (seven if any(seven[3:]) else seven[:3]))


def is_modern(crs):
    """
    Is its ellipsoid GRS 80's or WGS 84's? Datums on them are geocentric, and equal WGS 84 to some metres at most. Not so the
    intermediate frames (IRF) of railways, which a grid defines.
    """
    ellipsoid = crs.ellipsoid
    if "IRF" in crs.geodetic_crs.name:
        return False
    return abs(ellipsoid.semi_major_metre - 6378137) < 0.01 and abs(ellipsoid.inverse_flattening - 298.2572) < 1e-4


def spelt_out(proj4):
    """A definition with the axes of its ellipsoid for its name, except the two that every reader knows."""
    datum = re.search(r"\+datum=(\S+)", proj4)
    if datum:
        proj4 = proj4.replace(datum.group(0), f"+ellps={ELLIPSOIDS[datum.group(1)]}")
    named = re.search(r"\+ellps=(\S+)", proj4)
    if named is None or named.group(1) in ("GRS80", "WGS84"):
        return proj4
    axes = pyproj.get_ellps_map()[named.group(1)]
    second = f"+rf={axes['rf']:.15g}" if "rf" in axes else f"+b={axes['b']:.15g}"
    return proj4.replace(named.group(0), f"+a={axes['a']:.15g} {second}")


def area_of(crs):
    area = crs.area_of_use
    if area is None:
        return None
    return AreaOfInterest(area.west, area.south, area.east, area.north)


def points_of(crs, area):
    """Points that PROJ takes there and back."""
    forward = pyproj.Transformer.from_crs(4326, crs, always_xy=True)
    back = pyproj.Transformer.from_crs(crs, 4326, always_xy=True)
    width = area.east_lon_degree - area.west_lon_degree
    if width <= 0:
        width += 360
    height = area.north_lat_degree - area.south_lat_degree
    digits = 8 if crs.is_geographic else 3
    points = []
    for v in SHARES:
        for u in SHARES:
            longitude = area.west_lon_degree + u * width
            longitude = round(longitude - 360 if longitude > 180 else longitude, 4)
            latitude = round(area.south_lat_degree + v * height, 4)
            x, y = forward.transform(longitude, latitude)
            if not (math.isfinite(x) and math.isfinite(y)):
                continue
            there = back.transform(x, y)
            if all(map(math.isfinite, there)) and abs(there[1] - latitude) < 1e-7:
                points.append([longitude, latitude, round(x, digits), round(y, digits)])
    return points


def operation_of(transformers, points):
    """
    Of the operations without grids that PROJ has for the area of use the one that it takes at all of the points, else its first:
    from point to point it takes others where an area has several.
    """
    without = [each for each in transformers if not GRID.search(each.definition)]
    for each in without:
        moved = (each.transform(x, y) for _, _, x, y in points)
        if all(
            math.hypot((a - longitude) * math.cos(math.radians(latitude)), b - latitude) < 5e-6
            for (a, b), (longitude, latitude, _, _) in zip(moved, points)
        ):
            return each
    return without[0] if without else None


def described(code):
    crs = pyproj.CRS.from_epsg(code)
    area = area_of(crs)
    line = {"code": code, "name": crs.name, "kind": "geographic" if crs.is_geographic else "projected"}
    if area is None:
        return {**line, "reason": "projection"}
    group = TransformerGroup(crs, 4326, always_xy=True, area_of_interest=area)
    line["points"] = points_of(crs, area)
    first = operation_of(group.transformers, line["points"])
    proj4 = re.sub(r" \+(?:towgs84|nadgrids|type|no_defs|wktext)(?:=\S+)?", "", crs.to_proj4())
    line["proj4"] = spelt_out(proj4)
    if first is None or "Ballpark" in first.description:
        grids = any(operation.grids for operation in group.unavailable_operations)
        if first is not None and is_modern(crs):
            return {**line, "shift": ""}
        return {**line, "reason": "grid" if grids else "datum"}
    shift = shift_of(first.definition)
    line["accuracy"] = first.accuracy
    if shift is None:
        return {**line, "reason": "datum"}
    # where the best is a null shift, a modern datum, PROJ itself takes the coordinates for those of WGS 84
    if shift != "" and not group.best_available and first.accuracy > BEST_WITHOUT_GRID:
        return {**line, "reason": "grid", "shift": shift}
    return {**line, "shift": shift}


def main():
    without_grids()
    codes = {int(code) for kind in (PJType.PROJECTED_CRS, PJType.GEOGRAPHIC_2D_CRS) for code in pyproj.get_codes("EPSG", kind, allow_deprecated=True)}
    print("[")
    for i, code in enumerate(sorted(codes)):
        try:
            line = described(code)
        except (pyproj.exceptions.ProjError, IndexError) as error:
            # pyproj gives an IndexError where PROJ has no operation at all
            line = {"code": code, "reason": "datum" if isinstance(error, IndexError) else "projection", "error": str(error)}
        print(("," if i else "") + json.dumps(line, separators=(",", ":")))
        if i % 500 == 0:
            print(i, "of", len(codes), file=sys.stderr)
    print("]")


if __name__ == "__main__":
    main()
