import type { Usage } from '../service/generation-job.ts';

export function usageOf({ prompt, generated }: Pick<Usage, 'prompt' | 'generated'>) {
  return {
    prompt_tokens: prompt,
    completion_tokens: generated,
    total_tokens: prompt + generated,
  };
}
