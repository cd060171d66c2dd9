"""Prints curves, and what numpy and scipy say of them, as JSON: `python3 curves.py SEED > curves.json`."""

import json
import sys
from fractions import Fraction

import numpy as np
import scipy.signal
import scipy.stats

DAY = 86_400_000
YEAR = 365.25 * DAY
rng = np.random.default_rng(int(sys.argv[1]))


def curve(count, *, gaps=0.0, digits=None, step=5, level=0.0, scale=1.0):
    """Values of a field through the years: two-humped, with noise and gaps, at whole milliseconds."""
    times = 1_640_995_200_000 + np.cumsum(rng.integers(1, 2 * step * DAY, count))
    year = (times - times[0]) / YEAR
    values = 0.2 + 0.6 * np.sin(np.pi * year) ** 4 + 0.02 * year + rng.normal(0, 0.03, count)
    values = level + scale * values
    if digits is not None:
        values = np.round(values, digits)
    lost = rng.random(count) < gaps
    lost[rng.integers(0, count, 2)] = False
    return times, values, lost


def dense(y, w, lam):
    d = np.diff(np.eye(len(y)), 2, axis=0)
    return np.linalg.solve(np.diag(w) + lam * d.T @ d, w * y)


def exact(y, w, lam):
    """The same in rational numbers: without rounding, however long the gaps."""
    n = len(y)
    a = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        a[i][i] += Fraction(float(w[i]))
    for i in range(n - 2):
        for j, p in enumerate((1, -2, 1)):
            for k, q in enumerate((1, -2, 1)):
                a[i + j][i + k] += Fraction(lam) * p * q
    right = [Fraction(float(v)) * Fraction(float(u)) for v, u in zip(y, w)]
    for i in range(n):
        for j in range(i + 1, min(n, i + 3)):
            share = a[j][i] / a[i][i]
            for k in range(i, min(n, i + 3)):
                a[j][k] -= share * a[i][k]
            right[j] -= share * right[i]
    z = [Fraction(0)] * n
    for i in reversed(range(n)):
        z[i] = (right[i] - sum(a[i][k] * z[k] for k in range(i + 1, min(n, i + 3)))) / a[i][i]
    return np.array([float(v) for v in z])


def kendall(times, values):
    """S, its variance with ties in both (Kendall 1975), and the two-sided p with continuity."""
    n = len(times)
    s = int(np.sign(np.subtract.outer(times, times) * np.sign(np.subtract.outer(values, values)))[np.tril_indices(n, -1)].sum())
    t = np.unique(times, return_counts=True)[1].astype(float)
    u = np.unique(values, return_counts=True)[1].astype(float)

    def five(k):
        return float(np.sum(k * (k - 1) * (2 * k + 5)))

    variance = (n * (n - 1) * (2 * n + 5) - five(t) - five(u)) / 18
    if n > 2:
        variance += np.sum(t * (t - 1) * (t - 2)) * np.sum(u * (u - 1) * (u - 2)) / (9 * n * (n - 1) * (n - 2))
    variance += np.sum(t * (t - 1)) * np.sum(u * (u - 1)) / (2 * n * (n - 1))
    plain = 2 * scipy.stats.norm.sf(abs(s) / np.sqrt(variance))
    known = scipy.stats.kendalltau(times, values, method="asymptotic").pvalue
    assert abs(plain - known) <= 1e-12, (plain, known)
    z = 0.0 if s == 0 else (s - np.sign(s)) / np.sqrt(variance)
    return {"s": s, "z": float(z), "p": float(2 * scipy.stats.norm.sf(abs(z)))}


def seasons(times, smooth, threshold):
    """Summits by find_peaks, feet between them, crossings by peak_widths between the feet."""
    prominence = 0.25 * (smooth.max() - smooth.min())
    peaks, _ = scipy.signal.find_peaks(smooth, prominence=prominence)
    feet = [0] + [int(a + np.argmin(smooth[a : b + 1])) for a, b in zip(peaks, peaks[1:])] + [len(smooth) - 1]
    found = []
    for i, peak in enumerate(peaks):
        left, right = feet[i], feet[i + 1]
        base = smooth[left : right + 1].min()
        amplitude = smooth[peak] - base
        data = (np.array([amplitude]), np.array([left]), np.array([right]))
        level = base + threshold * amplitude
        _, _, begin, end = scipy.signal.peak_widths(smooth, [peak], 1 - threshold, data)
        at = np.arange(len(times))
        reaches = smooth[left : peak + 1].min() <= level, smooth[peak : right + 1].min() <= level
        found.append(
            {
                "start": float(np.interp(begin[0], at, times)) if reaches[0] else None,
                "peak": float(times[peak]),
                "end": float(np.interp(end[0], at, times)) if reaches[1] else None,
                "peakValue": float(smooth[peak]),
                "base": float(base),
                "amplitude": float(amplitude),
            }
        )
    return found


def case(name, times, values, lost, lam=10.0, window=7, order=2, threshold=0.5, is_exact=False):
    kept = np.flatnonzero(~lost)
    first, last = kept[0], kept[-1]
    inside = slice(first, last + 1)
    linear = np.interp(times[inside], times[kept], values[kept])
    w = (~lost[inside]).astype(float)
    y = np.where(lost[inside], 0.0, values[inside])
    whittaker = exact(y, w, lam) if is_exact else dense(y, w, lam)
    x = (times[kept] - times[first]) / YEAR
    line = scipy.stats.theilslopes(values[kept], x)
    return {
        "name": name,
        "lambda": lam,
        "window": window,
        "order": order,
        "threshold": threshold,
        "points": [[int(t), None if m else float(v)] for t, v, m in zip(times, values, lost)],
        "from": int(first),
        "linear": linear.tolist(),
        "whittaker": whittaker.tolist(),
        "savitzkyGolay": scipy.signal.savgol_filter(linear, window, order, mode="interp").tolist(),
        "theilSen": [float(line.slope), float(line.intercept), float(line.low_slope), float(line.high_slope)],
        "mannKendall": kendall(times[kept], values[kept]),
        "seasons": seasons(times[inside].astype(float), whittaker, threshold),
    }


def repeated(times):
    """Observations of two satellites at one time."""
    times = times.copy()
    times[3::7] = times[2::7][: len(times[3::7])]
    return times


plain = curve(120)
gappy = curve(160, gaps=0.5)
coarse = curve(150, gaps=0.2, digits=1)
kelvin = curve(90, gaps=0.3, level=290.0, scale=20.0)
tiny = curve(70, gaps=0.2, scale=1e-8)
long_gap = curve(100)
long_gap[2][20:85] = True
twice = curve(80, digits=2)
few = curve(9)
many = curve(900, gaps=0.1, step=3)

cases = [
    case("a curve without gaps", *plain),
    case("a curve of which half is masked", *gappy, lam=100.0, window=9, order=3, threshold=0.2),
    case("values of one digit, with many ties", *coarse, lam=0.5, window=5, order=1),
    case("kelvin", *kelvin, lam=1e4, window=11, order=4, threshold=0.8),
    case("values about 1e-8", *tiny, window=21, order=5),
    case("a gap of 65 observations", *long_gap, lam=1e6, is_exact=True),
    case("a weak smoothing of it", *long_gap, lam=0.125, is_exact=True),
    case("a curve that begins within a season", *(part[26:100] for part in plain)),
    case("nine observations", *few, lam=2.0, window=9, order=0),
    case("900 observations", *many, lam=1000.0, window=31, order=2, threshold=0.3),
]


def tied(times, values):
    x = (times - times[0]) / YEAR
    line = scipy.stats.theilslopes(values, x)
    return {
        "points": [[int(t), float(v)] for t, v in zip(times, values)],
        "theilSen": [float(line.slope), float(line.intercept), float(line.low_slope), float(line.high_slope)],
        "mannKendall": kendall(times, values),
    }


z = np.concatenate([np.linspace(0, 6, 61), [0.001, 1.9999, 2.0001, 10.0, 25.0, 26.5]])
times_twice = repeated(twice[0])
print(
    json.dumps(
        {
            "cases": cases,
            "tied": [
                tied(times_twice, twice[1]),
                tied(times_twice, np.round(twice[1], 1)),
                tied(twice[0], np.round(twice[1], 0)),
                # slopes that are alike in their first bits
                tied(many[0][:850], np.arange(850) / 7 + 1e-9 * rng.normal(size=850)),
                # more pairs than are sorted at once, a third of them of one slope
                tied(many[0], np.round(many[1], 1)),
            ],
            "erfc": [[float(v), float(scipy.special.erfc(v))] for v in z],
        }
    )
)
