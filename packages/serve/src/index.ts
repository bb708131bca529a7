// The public names of the package.
export { type Application, createApp, type OnError } from './app.ts';
export { type RunningServer, serve } from './serve.ts';
export { serverDefaults } from './service/defaults.ts';
export type { ModelEntries, ModelEntry } from './service/models.ts';
export type { ListenOptions, ServeOptions } from './service/options.ts';
