// Prompts for a query and a document, made of the parts that the model's config has.
import type { TextPair } from '../classification-head/types.ts';
import type { WirePartedPrompt } from '../generator/base/protocol.ts';
import { refuseInstruction } from './encoder-head.ts';
import type { RerankerFacts } from './prompt-facts.ts';

/** Makes prompts of one call. */
export type MakePrompt = (pair: TextPair) => WirePartedPrompt | Promise<WirePartedPrompt>;

const place = /\{(query|document|instruction)\}/g;
const documentPlace = '{document}';

/** What a text in braces stands for. What is put in is not looked into again. */
function filled(part: string, values: Readonly<Record<string, string>>): string {
  return part.replace(place, (whole, name: string) => values[name] ?? whole);
}

export function promptsOfParts(facts: RerankerFacts, given: string | undefined): MakePrompt {
  const { prompt = [], instruction_form: form = '{instruction}' } = facts;
  if (facts.instruction === undefined) {
    refuseInstruction(given);
  }
  const wanted = given ?? facts.instruction ?? '';
  const instruction = wanted === '' ? '' : filled(form, { instruction: wanted });
  const at = prompt.findIndex((part) => part.includes(documentPlace));
  const [before = '', after = ''] = (prompt[at] ?? '').split(documentPlace);
  return ([query, document]) => {
    const fill = (part: string) => filled(part, { query, document, instruction });
    return {
      parts: prompt.map(fill),
      lead: [...prompt.slice(0, at), before].map(fill),
      tail: [after, ...prompt.slice(at + 1)].map(fill),
    };
  };
}
