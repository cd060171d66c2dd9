export { itemKey, newestOf, overpassesAt, overpassesOf, type Processing, toProcessing } from "./item/processings.ts";
export { type Acquisition, type Sensor, sensorOf } from "./item/satellites.ts";
