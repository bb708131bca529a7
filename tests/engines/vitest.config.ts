// The pages and the package in Chromium, Firefox and WebKitGTK. Build first: `npm run build`.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TableReporter } from './table-reporter.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/engines/*.spec.ts'],
    globalSetup: ['tests/engines/support/global-setup.ts'],
    // Each file drives one browser at a time.
    maxWorkers: 2,
    // Against hanging: every wait in a test ends before.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // A second try for what a busy machine does to browsers. The last lines of a run name tests that need it.
    retry: 1,
    reporters: [
      'default',
      ['json', { outputFile: 'build/reports/vitest-engines.json' }],
      new TableReporter(),
    ],
  },
});
