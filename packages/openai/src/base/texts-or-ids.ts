// A text, the ids of its tokens, or a list of either: what OpenAI's older routes take.
import { z } from 'zod';

const ids = z.array(z.int().min(0)).min(1);
export const textOrIds = z.union(
  [z.string(), z.array(z.string()).min(1), ids, z.array(ids).min(1)],
  { error: 'Must be a text, token ids, or a list of either that is not empty' },
);

export type TextOrIds = string | readonly number[];

export function textsOrIds(given: z.infer<typeof textOrIds>): readonly TextOrIds[] {
  if (typeof given === 'string') {
    return [given];
  }
  return typeof given[0] === 'number' ? [given as number[]] : (given as TextOrIds[]);
}
