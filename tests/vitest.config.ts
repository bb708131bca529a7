// The TypeScript suites: tests/web (units), tests/package (the built package) and tests/lint.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000, // one packs the package; a busy machine is slow at it
    // Workers of the package are part of many tests; two test files at a time suit small machines.
    maxWorkers: 2,
  },
});
