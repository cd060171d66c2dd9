/** How browsers of STAC learn that previews, tiles and searches need a key (STAC authentication extension 1.1.0). */
export const AUTHENTICATION_EXTENSION = "https://stac-extensions.github.io/authentication/v1.1.0/schema.json";

export const AUTH_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key issued by the owner of the service." },
} as const;
