// Scores pairs with a language model: what it gives to one token after a prompt with the query and the document, perhaps minus
// what it gives to another.
import { AmbryError } from '../base/errors.ts';
import { activations } from '../classification-head/probabilities.ts';
import type { ScoreInput } from '../classification-head/protocol.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { GeneratorCalls } from '../generator/base/protocol.ts';
import type { GeneratorInfo } from '../generator/base/types.ts';
import { namedTemplates } from '../generator/templates/choose-template.ts';
import { Conversations } from '../generator/templates/conversations.ts';
import { threadsFor } from '../generator/threads.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { type MakePrompt, promptsOfParts } from './part-prompts.ts';
import { rerankerFacts } from './prompt-facts.ts';
import type { Scorer } from './scorer.ts';
import { shortPairs } from './short-pairs.ts';
import { TemplatePrompts } from './template-prompts.ts';
import type { RelevanceOptions } from './types.ts';

type List = ScoreInput['settings']['list'];
type Calls = Pick<Connection<GeneratorCalls>, 'channel'>;

/** Rejects where the tokens are none of the model's tokenizer, and where its template shows no query or document. */
export async function openScorer(
  connection: Connection<GeneratorCalls>,
  { info, weightBytes }: OpenedModel,
  options: OpenOptions,
): Promise<Scorer> {
  const facts = rerankerFacts(info);
  const { generator } = info as FileInfo & { readonly generator: GeneratorInfo };
  await connection.channel.call('scorePrompts', { prompts: [], settings: { list: 'documents' } });
  let promptsFor: (options: RelevanceOptions) => Promise<MakePrompt>;
  if (facts.prompt) {
    promptsFor = async ({ instruction }) => promptsOfParts(facts, instruction);
  } else {
    const stated = { ...generator, named: namedTemplates(info) };
    const templates = new TemplatePrompts(facts, new Conversations(connection, stated));
    await templates.check();
    promptsFor = ({ instruction, signal }) => templates.forCall(instruction, signal);
  }
  await threadsFor(connection, weightBytes, options);
  const activate = activations[facts.activation ?? 'sigmoid'];
  // One call runs at a time, so that the threads are not shared.
  let last: Promise<unknown> = Promise.resolve();
  return {
    scoreOf: (logit) => activate((facts.score_scale ?? 1) * logit),
    logits: (inputs, options, list) => {
      const pairs = shortPairs(facts, checkedPairs(inputs, list), options, list);
      const work = async () =>
        logitsOf(connection, pairs, await promptsFor(options), options, list);
      const turn = last.then(work, work);
      last = turn.catch(() => {});
      return turn;
    },
  };
}

function checkedPairs(inputs: readonly (string | TextPair)[], list: List): readonly TextPair[] {
  return inputs.map((input, i) => {
    if (typeof input !== 'string') {
      return input;
    }
    const message = 'A language model that ranks takes pairs of a query and a document.';
    throw new AmbryError('BadValue', message, { path: `${list}[${i}]` });
  });
}

async function logitsOf(
  { channel }: Calls,
  pairs: readonly TextPair[],
  makePrompt: MakePrompt,
  { truncate, layer, signal, onProgress }: RelevanceOptions,
  list: List,
): Promise<Float32Array> {
  const prompts = [];
  for (const pair of pairs) {
    prompts.push(await makePrompt(pair));
  }
  const settings = {
    list,
    ...(truncate !== undefined && { truncate }),
    ...(layer !== undefined && { layer }),
  };
  const rows = await channel.call('scorePrompts', { prompts, settings }, { signal, onProgress });
  const width = rows.length / Math.max(1, pairs.length);
  return width < 2
    ? rows
    : Float32Array.from(pairs, (_, i) => (rows[2 * i] as number) - (rows[2 * i + 1] as number));
}
