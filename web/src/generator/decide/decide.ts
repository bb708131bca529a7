// Decides questions about texts: the model gives a score to each answer that there may be. Pages fetch this file with their first
// decision.
import { AmbryError } from '../../base/errors.ts';
import { object, oneOf, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { checkTexts } from '../../model/check-texts.ts';
import type { Channel } from '../../rpc/channel.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import {
  type DecideOptions,
  type Decision,
  type Decisions,
  decideDefaults,
  type Questions,
  scoreNormalizations,
} from '../base/decision-types.ts';
import type { GeneratorCalls } from '../base/protocol.ts';
import { type AskedQuestion, askedQuestions } from './asked-questions.ts';
import { type RenderPrompt, textPrompts } from './text-prompts.ts';

/** What decisions need of their model. */
export interface DecisionModel {
  readonly channel: Pick<Channel<GeneratorCalls>, 'call'>;
  readonly render: RenderPrompt;
  /** The tokens that end an answer. */
  readonly endIds: readonly number[];
}

const decideOptionNames: OptionNames<DecideOptions> = {
  ...jobOptionNames,
  normalize: oneOf(scoreNormalizations),
  prompt: text,
  system: text,
  template: text,
  variables: object,
};

export async function decide(
  model: DecisionModel,
  given: string | readonly string[],
  questions: Questions,
  options: DecideOptions,
): Promise<Decisions | Decisions[]> {
  await refuseUnknown(options, decideOptionNames);
  const { normalize = decideDefaults.normalize, signal, onProgress } = options;
  const isOne = typeof given === 'string';
  const texts = checkTexts(isOne ? [given] : given);
  texts.forEach(refuseBlank);
  const asked = await askedQuestions(questions);
  if (model.endIds.length === 0) {
    const message =
      'The model has no token that ends an answer, so it gives answers no probability.';
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  const makePrompts = textPrompts(model.render, asked, options);
  const prompts = [];
  // What is subtracted comes first.
  for (const each of normalize === 'prior' ? ['', ...texts] : texts) {
    prompts.push(await makePrompts(each));
  }
  const input = {
    questions: asked.map(({ path, answers }) => ({ head: path, items: answers })),
    texts: prompts.map((each) => each.prompts),
    special: prompts[0]?.special ?? true,
    byTokens: normalize === 'tokens',
    prior: normalize === 'prior',
  };
  const scores = await model.channel.call('decide', input, { signal, onProgress });
  const all = decisionsOf(asked, scores, texts.length);
  return isOne ? (all[0] as Decisions) : all;
}

function refuseBlank(given: string, i: number): void {
  if (given.trim() !== '') {
    return;
  }
  const message = 'The text is empty. Leave it out, or say what it lacks.';
  throw new AmbryError('BadValue', message, { path: `texts[${i}]` });
}

/** `scores` has the score and the probability of each answer to each question about each text. */
function decisionsOf(
  asked: readonly AskedQuestion[],
  scores: Float64Array,
  count: number,
): Decisions[] {
  let at = 0;
  const next = () => scores[at++] as number;
  const decision = ({ name, values }: AskedQuestion): readonly [string, Decision] => {
    const probabilities = values
      .map((value) => ({ value, score: next(), probability: next() }))
      .sort((a, b) => b.probability - a.probability);
    const { value, probability } = probabilities[0] as (typeof probabilities)[number];
    return [name, { value, probability, probabilities }];
  };
  return Array.from({ length: count }, () => Object.fromEntries(asked.map(decision)));
}
