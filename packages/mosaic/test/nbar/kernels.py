"""Kernels and c-factors at 1,000 sets of angles, by numpy. Writes kernels.json beside this file.

RossThick and LiSparseReciprocal by the ATBD of MODIS's BRDF and albedo product (MOD43, Strahler et al. 1999, version
5.0, equations 38 to 44 of section 2.2), c-factors by Roy et al. 2016 (doi:10.1016/j.rse.2016.01.023), the prescribed
solar zenith by Zhang et al. 2016 (doi:10.1016/j.rse.2016.07.005).
"""

import json
import pathlib

import numpy as np

H_OVER_B = 2.0
B_OVER_R = 1.0
WEIGHTS = {  # f_iso, f_geo, f_vol of Roy et al. 2016
    "blue": (0.0774, 0.0079, 0.0372),
    "green": (0.1306, 0.0178, 0.0580),
    "red": (0.1690, 0.0227, 0.0574),
    "nir08": (0.3093, 0.0330, 0.1535),
    "swir16": (0.3430, 0.0453, 0.1154),
    "swir22": (0.2658, 0.0387, 0.0639),
}
SUN_ZENITH = np.polynomial.Polynomial([31.0076, -0.1272, 0.01187, 2.40e-05, -9.48e-07, -1.95e-09, 6.15e-11])


def direction(zenith, azimuth):
    return np.stack([np.sin(zenith) * np.sin(azimuth), np.sin(zenith) * np.cos(azimuth), np.cos(zenith)])


def cos_between(a, b):
    return np.clip(np.sum(a * b, axis=0), -1.0, 1.0)


def ross_thick(ts, tv, phi):
    cos_xi = cos_between(direction(ts, 0 * phi), direction(tv, phi))
    xi = np.arccos(cos_xi)
    return ((0.5 * np.pi - xi) * cos_xi + np.sin(xi)) / (np.cos(ts) + np.cos(tv)) - 0.25 * np.pi


def li_sparse_reciprocal(ts, tv, phi):
    ts, tv = np.arctan(B_OVER_R * np.tan(ts)), np.arctan(B_OVER_R * np.tan(tv))
    cos_xi = cos_between(direction(ts, 0 * phi), direction(tv, phi))
    d2 = np.tan(ts) ** 2 + np.tan(tv) ** 2 - 2 * np.tan(ts) * np.tan(tv) * np.cos(phi)
    sec_sum = 1 / np.cos(ts) + 1 / np.cos(tv)
    cos_t = H_OVER_B * np.sqrt(d2 + (np.tan(ts) * np.tan(tv) * np.sin(phi)) ** 2) / sec_sum
    t = np.arccos(np.clip(cos_t, -1, 1))
    overlap = (t - np.sin(t) * np.cos(t)) * sec_sum / np.pi
    return overlap - sec_sum + 0.5 * (1 + cos_xi) / np.cos(ts) / np.cos(tv)


def brdf(weights, ts, tv, phi):
    iso, geo, vol = weights
    return iso + vol * ross_thick(ts, tv, phi) + geo * li_sparse_reciprocal(ts, tv, phi)


rng = np.random.default_rng(20161)
n = 1000
degrees = {
    "sunZenith": rng.uniform(0, 80, n).round(3),
    "sunAzimuth": rng.uniform(0, 360, n).round(3),
    "viewZenith": rng.uniform(0, 70, n).round(3),
    "viewAzimuth": rng.uniform(0, 360, n).round(3),
}
latitude = rng.uniform(-70, 80, n).round(3)
# among them: the hot spot, nadir, and a sun at the zenith
for name in ("Zenith", "Azimuth"):
    degrees[f"view{name}"][:20] = degrees[f"sun{name}"][:20]
degrees["viewZenith"][20:40] = 0
degrees["sunZenith"][40:50] = 0
ts, tv = np.radians(degrees["sunZenith"]), np.radians(degrees["viewZenith"])
phi = np.radians(degrees["viewAzimuth"] - degrees["sunAzimuth"])
target = SUN_ZENITH(latitude)
factors = {
    band: brdf(weights, np.radians(target), 0 * tv, 0 * phi) / brdf(weights, ts, tv, phi)
    for band, weights in WEIGHTS.items()
}
columns = {
    **degrees,
    "latitude": latitude,
    "prescribed": target,
    "rossThick": ross_thick(ts, tv, phi),
    "liSparseReciprocal": li_sparse_reciprocal(ts, tv, phi),
    **factors,
}
out = pathlib.Path(__file__).with_name("kernels.json")
lists = {name: [float(f"{v:.14g}") for v in values] for name, values in columns.items()}
out.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in lists.items()) + "\n}\n")
