// Workers of the package that a test made itself, so that it can count and end them.
import { Worker as NodeWorker } from 'node:worker_threads';

const entry = new URL('../../../dist/workers/node-worker.js', import.meta.url).href;

export interface OwnWorkers {
  readonly started: NodeWorker[];
  readonly createWorker: () => Worker;
  /** How many of them are gone. */
  readonly ended: () => number;
}

/** Workers that run `atStart` before the package's own script; it may differ from worker to worker. */
export function ownWorkers(atStart: string | ((number: number) => string) = ''): OwnWorkers {
  const started: NodeWorker[] = [];
  let ended = 0;
  const createWorker = () => {
    const first = typeof atStart === 'string' ? atStart : atStart(started.length);
    const worker = new NodeWorker(`${first}; import(${JSON.stringify(entry)});`, { eval: true });
    worker.on('exit', () => ended++);
    started.push(worker);
    return worker as unknown as Worker;
  };
  return { started, createWorker, ended: () => ended };
}
