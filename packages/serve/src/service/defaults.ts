// The defaults of the server, which the help of its command shows.

/** Times are in seconds, sizes in bytes. */
export const serverDefaults = {
  host: '127.0.0.1',
  port: 8080,
  maxBody: 8 * 1024 * 1024,
  maxInputs: 2048,
  maxAnswers: 16,
  maxQueue: 128,
  maxConnections: 256,
  requestTimeout: 300,
  closeTimeout: 30,
  workers: 1,
} as const;
