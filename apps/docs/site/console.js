// The reference with a console. It asks this server alone; the key of the tab, where there is one, is filled in.
const { base, served } = document.body.dataset;
const key = served === "yes" ? (sessionStorage.getItem("swath-key") ?? "") : "";

window.Scalar.createApiReference("#console", {
  url: served === "yes" ? "/v1/openapi.json" : `${base}api/openapi.json`,
  authentication: { preferredSecurityScheme: "apiKey", securitySchemes: { apiKey: { value: key } } },
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  // its greys and greens are lighter than text may be
  customCss:
    ".light-mode { --scalar-color-3: #5d636b; --scalar-color-green: #00693e; } .dark-mode { --scalar-color-3: #a4aab3; }",
  hideTestRequestButton: served !== "yes",
});
