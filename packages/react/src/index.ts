// The public names of the package.
export { type ModelState, useModel } from './use-model.ts';
