// Finds the Chromium that runs the tests.

import { existsSync } from 'node:fs';

const programs = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export function chromiumPath(): string {
  const path = process.env['CHROMIUM'] ?? programs.find((program) => existsSync(program));
  if (path === undefined) {
    throw new Error(
      'No Chromium found: install it (apt-get install chromium-headless-shell) or set CHROMIUM to its path.',
    );
  }
  return path;
}
