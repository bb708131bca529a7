// The package in Node for ARM, emulated. Build first: `npm run build`.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/arm/*.spec.ts'],
    // Emulated programs start at the same time.
    maxConcurrency: 2,
    // Against hanging: the emulator is about 15 times as slow.
    testTimeout: 320_000,
  },
});
