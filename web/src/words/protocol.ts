// The calls of a worker for word vectors.
import type { EmbedCalls } from '../model/embedding.ts';
import type { OpenCalls } from '../model/protocol.ts';
import type {
  AccuracyReport,
  AnalogyOptions,
  ScoredWord,
  SimilarOptions,
  WordExplanation,
  WordVectorBatch,
} from './types.ts';

export type WordsCalls = OpenCalls &
  EmbedCalls & {
    wordVectors: { in: { words: readonly string[]; unnormalized: boolean }; out: WordVectorBatch };
    explainWord: { in: { word: string }; out: WordExplanation };
    similarWords: {
      in: { query: string | Float32Array; settings: Omit<SimilarOptions, 'signal'> };
      out: ScoredWord[];
    };
    analogy: {
      in: { words: readonly [string, string, string]; settings: Omit<AnalogyOptions, 'signal'> };
      out: ScoredWord[];
    };
    accuracy: { in: { questions: string }; out: AccuracyReport };
    listWords: { in: { offset: number; limit: number }; out: string[] };
  };
