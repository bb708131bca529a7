import type { Usage } from '../answers/collect.ts';

type Counts = Pick<Usage, 'prompt' | 'generated'> & Partial<Pick<Usage, 'thinking'>>;

export function usageOf({ prompt, generated, thinking = 0 }: Counts) {
  return {
    prompt_tokens: prompt,
    completion_tokens: generated,
    total_tokens: prompt + generated,
    ...(thinking > 0 && { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
