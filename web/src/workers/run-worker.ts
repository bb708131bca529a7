// The browser's worker entry for running models and searching indexes.

import { runHandlers } from '../encoder/worker.ts';
import type { RunCalls } from '../rpc/protocol.ts';
import { serveWorker } from '../runtime/worker-serve.ts';
import { Workplace } from '../runtime/worker-workplace.ts';
import { moduleRun } from '../wasm/module-run.ts';

serveWorker<RunCalls>(({ deterministic }) =>
  runHandlers(new Workplace(moduleRun, { deterministic })),
);
