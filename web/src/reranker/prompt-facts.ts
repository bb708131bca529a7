// How a language model ranks, as its config states it (core/formats/amb/README.md#reranker).
import type { ScoreActivation } from '../classification-head/types.ts';
import type { FileInfo } from '../model/file-info.ts';

export interface RerankerFacts {
  /** The parts of the prompt, with places in braces. Absent where the chat template makes it. */
  readonly prompt?: readonly string[];
  readonly messages?: 'flat' | 'structured';
  /** More variables of the chat template. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly activation?: ScoreActivation;
  /** What a prompt has where a call gives none. Absent where prompts have no place for it. */
  readonly instruction?: string;
  /** How an instruction that is not empty stands in the prompt. */
  readonly instruction_form?: string;
}

export function rerankerFacts({ config }: FileInfo): RerankerFacts {
  return (config?.['reranker'] ?? {}) as RerankerFacts;
}
