// The browser's worker entry for every call; `createWorker` of a caller starts this one.
import type { Calls } from '../rpc/protocol.ts';
import { allHandlers } from './handlers.ts';
import { moduleAll } from './module-all.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

serveWorker<Calls>((greeting) => allHandlers(new Workplace(moduleAll, greeting)));
