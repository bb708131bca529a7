// The browser's worker entry for running models and searching indexes.
import { moduleRun } from './module-run.ts';
import { runWorker } from './web-worker.ts';

runWorker(moduleRun);
