// The browser's worker entry for every call; `createWorker` of a caller starts this one.
import { moduleAll } from './module-all.ts';
import { runWorker } from './web-worker.ts';

runWorker(moduleAll);
