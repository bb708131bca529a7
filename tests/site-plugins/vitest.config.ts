// Sites of generators with the plugins of ambry-site-search. Build first: `npm run build`.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TableReporter } from '../engines/table-reporter.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/site-plugins/*.spec.ts'],
    // Installs and builds are heavy, and one after the other.
    maxWorkers: 1,
    // Against hanging: a generator may be installed first.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: [
      'default',
      ['json', { outputFile: 'build/reports/vitest-site-plugins.json' }],
      new TableReporter(),
    ],
  },
});
