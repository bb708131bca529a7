// Which messages of a conversation a prompt has when not all fit the context.
import { type ChatMessage, generateDefaults, type TrimPolicy } from './base/types.ts';

interface Fitting {
  readonly ids: readonly number[];
  /** The messages before the first one of the user, which always stay. */
  readonly first: readonly ChatMessage[];
  /** The messages that were dropped after `first`. */
  readonly dropped: readonly ChatMessage[];
}

/** Tokens to keep free for an answer: as many as it may have, up to half of the context. */
export function roomFor(maxTokens: number | undefined, context: number): number {
  if (maxTokens !== undefined) {
    return Math.min(maxTokens, Math.floor(context / 2));
  }
  return Math.min(generateDefaults.maxTokens, Math.floor(context / 4));
}

/** The share of the context that prompt and room may take after messages were dropped. Each drop makes all that follows
 *  it new, so the next drop should be many turns away. */
const shareAfterDrop = 3 / 4;

/** The tokens of a conversation, without its oldest turns where it must be so. The last turn stays. */
export async function fitted(
  messages: readonly ChatMessage[],
  idsOf: (messages: readonly ChatMessage[]) => Promise<readonly number[]>,
  { context, room, trim }: { context: number; room: number; trim: TrimPolicy },
): Promise<Fitting> {
  const begins = turnsOf(messages);
  const first = messages.slice(0, begins[0]);
  const ids = await idsOf(messages);
  const whole = { ids, first, dropped: [] };
  if (trim === 'error' || begins.length < 2 || ids.length + room <= context) {
    return whole;
  }
  const without = async (turns: number): Promise<Fitting> => {
    const kept = messages.slice(begins[turns]);
    const dropped = messages.slice(first.length, begins[turns]);
    return { ids: await idsOf([...first, ...kept]), first, dropped };
  };
  const limit = Math.floor(context * shareAfterDrop);
  // The fewest turns that must go: bisection, because each look renders a template.
  let [few, many] = [1, begins.length - 1];
  let best = await without(many);
  while (few < many) {
    const middle = Math.floor((few + many) / 2);
    const some = await without(middle);
    if (some.ids.length + room > limit) {
      few = middle + 1;
    } else {
      [many, best] = [middle, some];
    }
  }
  return best;
}

/** Where each turn begins: at a message of the user. */
function turnsOf(messages: readonly ChatMessage[]): readonly number[] {
  return messages.flatMap(({ role }, i) => (role === 'user' ? [i] : []));
}
