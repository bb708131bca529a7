// The tests with real servers: Redis and PostgreSQL.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/scale/**/*.scale.ts'],
    // Against hanging, not a measure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A second try for a test on a busy machine. The last lines of a run name those that need it.
    retry: 1,
    // Most of the time is spent in waiting for processes.
    maxWorkers: 2,
  },
});
