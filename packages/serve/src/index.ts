// The public names of the package.
export { type Application, createApp, type OnError } from './app.ts';
export { type Command, type CommandOutput, command } from './command.ts';
export type { ModelEntries, ModelEntry } from './models.ts';
export { type ListenOptions, listenDefaults, type ServeOptions, serveDefaults } from './options.ts';
export { type RunningServer, serve } from './serve.ts';
