// The browsers under test, and how a test file starts one for all of its tests.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine, Privacy, RunningEngine } from './engine-page.ts';
import { chromium, firefox } from './puppeteer-engines.ts';
import { webkit } from './webkit-engine.ts';

/** `AMBRY_ENGINES=Firefox,WebKitGTK` runs only these. */
const wanted = process.env['AMBRY_ENGINES']?.split(',');
const all: readonly Engine[] = [chromium, firefox, webkit];
const unknown = wanted?.filter((name) => all.every((engine) => engine.name !== name)) ?? [];
if (unknown.length > 0) {
  const names = all.map(({ name }) => name).join(', ');
  throw new Error(`AMBRY_ENGINES names ${unknown.join(', ')}; there are ${names}.`);
}

export const engines = all.filter(({ name }) => wanted?.includes(name) ?? true);

/** Starts the browser before the tests of this block, and ends it after them, also after failures. */
export function useEngine(engine: Engine, privacy: Privacy = 'usual'): () => RunningEngine {
  let running: RunningEngine | undefined;
  beforeAll(async () => {
    running = await engine.start(privacy);
  });
  beforeEach(({ task }) => {
    task.meta.engine = `${engine.name} ${running?.version}`;
  });
  afterAll(async () => running?.close());
  return () => {
    if (running === undefined) throw new Error(`${engine.name} did not start.`);
    return running;
  };
}
