/** Where each method is published. */
export const CURVE_REFERENCES = {
  whittaker: "Eilers 2003, A perfect smoother, Analytical Chemistry 75, https://doi.org/10.1021/ac034173t",
  "savitzky-golay":
    "Savitzky and Golay 1964, Smoothing and differentiation of data by simplified least squares procedures, Analytical Chemistry 36, https://doi.org/10.1021/ac60214a047",
  linear: "Meijering 2002, A chronology of interpolation, Proceedings of the IEEE 90, https://doi.org/10.1109/5.993400",
  "theil-sen":
    "Sen 1968, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical Association 63, https://doi.org/10.1080/01621459.1968.10480934",
  "mann-kendall": "Mann 1945, Nonparametric tests against trend, Econometrica 13, https://doi.org/10.2307/1907187",
  threshold:
    "Jönsson and Eklundh 2004, TIMESAT - a program for analyzing time-series of satellite sensor data, Computers and Geosciences 30, https://doi.org/10.1016/j.cageo.2004.05.006",
} as const;
