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
  /** The activation is that of the score times this. */
  readonly score_scale?: number;
  /** What a prompt has where a call gives none. Absent where prompts have no place for it. */
  readonly instruction?: string;
  /** How an instruction that is not empty stands in the prompt. */
  readonly instruction_form?: string;
  /** Unicode characters. Absent: no limit. */
  readonly max_query_characters?: number;
  readonly max_document_characters?: number;
  /** Whether queries and documents lose white space at both ends. */
  readonly trim?: boolean;
}

export function rerankerFacts({ config }: FileInfo): RerankerFacts {
  return (config?.['reranker'] ?? {}) as RerankerFacts;
}
