// The public names of the package.

export { mcpDefaults } from './options/defaults.ts';
export type { HttpOptions, StdioOptions } from './options/listen-options.ts';
export type { Entry, FileAccess, Held, McpOptions, OpenCall } from './options/mcp-options.ts';
export { type RunningMcpServer, serveHttp } from './serve-http.ts';
export { type StdioStreams, serveStdio } from './serve-stdio.ts';
export { createMcpService, type McpService } from './serving/mcp-service.ts';
