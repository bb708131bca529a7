// Starts a browser for all tests of a block.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine, Privacy, RunningEngine } from './engine-page.ts';

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
    if (running === undefined) {
      throw new Error(`${engine.name} did not start.`);
    }
    return running;
  };
}
