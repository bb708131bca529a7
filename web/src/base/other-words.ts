// Options of other libraries. Only the error for an unknown option has this file, so pages fetch it with that error.
import type { OtherWords } from './did-you-mean.ts';

/** Our options, each with the names that other libraries have for it, in camel case. An option is meant where the call has it. */
export const otherOptions: OtherWords = {
  maxTokens: [
    'maxNewTokens',
    'maxLength',
    'nPredict',
    'numPredict',
    'maxCompletionTokens',
    'maxOutputTokens',
  ],
  temperature: ['temp', 'doSample'],
  repetitionPenalty: ['repeatPenalty', 'penaltyRepeat'],
  penaltyLastN: ['repeatLastN'],
  stop: ['stopStrings', 'stopSequences', 'stopWords'],
  stopIds: ['eosTokenId', 'stopTokenIds', 'stopTokens'],
  format: ['responseFormat', 'responseConstraint', 'jsonSchema', 'schema', 'grammar'],
  context: ['nCtx', 'numCtx', 'ctxSize', 'contextSize', 'contextLength', 'contextWindowSize'],
  threads: ['nThreads', 'numThreads'],
  quantize: ['dtype', 'quantization'],
  kv: ['cacheTypeK', 'cacheTypeV', 'kvCacheType'],
  cache: ['cacheDir', 'useCache', 'useBrowserCache'],
  hub: ['hfToken', 'token', 'accessToken', 'endpoint', 'remoteHost'],
  wasmUrl: ['wasmPath', 'wasmPaths'],
  k: ['topK', 'topN', 'limit', 'numResults', 'nResults', 'count'],
  threshold: ['minScore', 'scoreThreshold', 'cutoff'],
  candidates: ['candidateLabels', 'labels', 'classes'],
  hypothesis: ['hypothesisTemplate'],
  normalize: ['normalizeEmbeddings'],
  dim: ['truncateDim', 'dimensions', 'outputDimensionality', 'embeddingSize'],
  as: ['convertToNumpy', 'convertToTensor'],
  workers: ['numWorkers', 'concurrency', 'poolSize'],
  special: ['addSpecialTokens'],
  skipSpecial: ['skipSpecialTokens'],
  pair: ['textPair'],
  lowercase: ['doLowerCase', 'uncased'],
  onProgress: ['progressCallback', 'initProgressCallback', 'showProgressBar'],
  signal: ['abortSignal'],
};

/** Options that no call needs, and why. */
export const needless: OtherWords = {
  'Ambry computes on the processor.': ['device', 'gpu', 'nGpuLayers', 'gpuLayers'],
  'Ambry makes the batches by itself.': ['batchSize'],
};
