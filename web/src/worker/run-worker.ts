// The browser's worker entry for running models and searching indexes.
import type { RunCalls } from '../rpc/protocol.ts';
import { moduleRun } from './module-run.ts';
import { runHandlers } from './run-handlers.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

serveWorker<RunCalls>(({ deterministic }) =>
  runHandlers(new Workplace(moduleRun, { deterministic })),
);
