/** Media type of JSON (RFC 8259). */
export const JSON_TYPE = "application/json";
/** Media type of forms, as HTML sends them. */
export const FORM_TYPE = "application/x-www-form-urlencoded";
