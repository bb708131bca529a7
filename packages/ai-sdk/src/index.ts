// The public names of the package.
export type { ModelEntries, ModelEntry } from './models.ts';
export { type AmbryProvider, createAmbry } from './provider.ts';
