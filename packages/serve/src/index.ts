// The public names of the package.
export { type Application, createApp, type OnError } from './app.ts';
export type { ModelEntries, ModelEntry } from './models.ts';
export type { ListenOptions, ServeOptions } from './options.ts';
export { type RunningServer, serve } from './serve.ts';
