export { type AngleGrid, computedAngles, type NodeGrid, nodesOver } from "./angle-grid.ts";
export { type FactorGrid, multiplyByFactors, nadirFactors } from "./factor-grid.ts";
export { type Angles, type KernelWeights, nadirFactor } from "./kernels.ts";
export { type Orbit, trackView, type ViewDirection } from "./orbit.ts";
export { prescribedSunZenith, type SunPosition, sunPosition } from "./sun.ts";
