// The public names of the package.
export { type ModelState, modelStore } from './model-store.ts';
