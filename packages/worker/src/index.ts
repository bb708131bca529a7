// The library: what the commands of `ambry-worker` are made of.
export { runCommandLine } from './command-line.ts';
export { type EnqueueOptions, type EnqueueResult, enqueue } from './enqueue.ts';
export { exportIndex } from './export-index.ts';
export { readCorpus } from './input.ts';
export {
  type FailedJob,
  failedJobs,
  type QueueStatus,
  queueStatus,
  retryFailed,
} from './inspect-queue.ts';
export { type Embedder, modelHash, openEmbedder } from './model.ts';
export { ParquetSink } from './parquet-sink.ts';
export { PostgresSink } from './postgres-sink.ts';
export { type OpenQueue, openQueue, type QueuePlace } from './queue.ts';
export { runWorker, type WorkerOptions } from './run-worker.ts';
export { createHnsw, searchTable, type TableHit, type TableSearch } from './search-table.ts';
export type { EmbeddedPassage, EmbedJob, ModelMark, Passage, Sink } from './types.ts';
export type { Vector } from './vectors.ts';
