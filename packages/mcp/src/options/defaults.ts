// The defaults of the tools and of the server, which the help of the command shows.

/** Times are in seconds, sizes in bytes or characters. */
export const mcpDefaults = {
  maxResult: 32_000,
  callTimeout: 300,
  maxCalls: 64,
  closeTimeout: 10,
  host: '127.0.0.1',
  port: 8082,
  maxBody: 4 * 1024 * 1024,
  maxConnections: 256,
  maxSessions: 64,
} as const;
