// The TypeScript suites: tests/web (units), tests/package (the built package), tests/lint, and those of packages.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests ask servers of their own on this machine, which no proxy reaches.
for (const name of Object.keys(process.env)) {
  if (/^(https?|all|no)_proxy$/i.test(name)) {
    delete process.env[name];
  }
}

// Workers and command lines that tests start compile the same modules again and again: Node keeps the code.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'ambry-tests-compiled');

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // Tests of sources read PDFs with the built package. It is too large to be transformed in each file of tests.
    server: { deps: { external: [/\/packages\/pdf\/dist\//] } },
    include: ['tests/**/*.test.ts', 'packages/**/tests/**/*.test.ts'],
    // Against hanging, not a measure: on a busy machine tests take several times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // A second try for a test on a busy machine. The last lines of a run name those that need it.
    retry: 1,
    // Workers of the package are part of many tests; two test files at a time suit small machines.
    maxWorkers: 2,
  },
});
