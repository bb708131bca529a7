// The options of `ambry generate` and `ambry chat` that say how tokens are chosen and when the answer ends.
import { generateDefaults } from '../../entries/tables.ts';
import type { GenerateOptions, SendOptions } from '../../entries/types.ts';
import type { CommandOptions, OptionValues } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { integer, numberInRange, oneOf } from '../shared/option-values.ts';

const defaults = generateDefaults;

const mirostatVersions = ['0', '1', '2'] as const;

export const samplingOptions = {
  'max-tokens': {
    type: 'string',
    value: 'N',
    help: `The maximum number of generated tokens. Default: ${defaults.maxTokens}.`,
  },
  temperature: {
    type: 'string',
    value: 'X',
    help: `The sampling temperature. With 0 the most probable token is always taken. Default: ${defaults.temperature}.`,
  },
  'top-k': {
    type: 'string',
    value: 'N',
    help: 'Sample from the N most probable tokens only. Default: from all.',
  },
  'top-p': {
    type: 'string',
    value: 'X',
    help: `Sample from the most probable tokens whose probabilities add up to X. Default: ${defaults.topP}.`,
  },
  'min-p': {
    type: 'string',
    value: 'X',
    help: `Sample only from tokens that are at least X times as probable as the most probable one. Default: ${defaults.minP}.`,
  },
  'typical-p': {
    type: 'string',
    value: 'X',
    help: `Sample from the most typical tokens whose probabilities add up to X. Default: ${defaults.typicalP}.`,
  },
  'top-n-sigma': {
    type: 'string',
    value: 'X',
    help: `Sample only from tokens whose logits are within X standard deviations of the highest one. 0 means all. Default: ${defaults.topNSigma}.`,
  },
  'min-keep': {
    type: 'string',
    value: 'N',
    help: `--top-p, --min-p, --typical-p and XTC keep at least N tokens. Default: ${defaults.minKeep}.`,
  },
  'xtc-probability': {
    type: 'string',
    value: 'X',
    help: `XTC: how often to leave out the top choices, from 0 to 1. Default: ${defaults.xtcProbability}.`,
  },
  'xtc-threshold': {
    type: 'string',
    value: 'X',
    help: `XTC: tokens of at least this probability are top choices. The least probable of them stays. Default: ${defaults.xtcThreshold}.`,
  },
  'dynatemp-range': {
    type: 'string',
    value: 'X',
    help: `Let the temperature follow the entropy, by up to X below and above --temperature. Default: ${defaults.dynatempRange}.`,
  },
  'dynatemp-exponent': {
    type: 'string',
    value: 'X',
    help: `With --dynatemp-range: above 1 the temperature rises later, below 1 sooner. Default: ${defaults.dynatempExponent}.`,
  },
  mirostat: {
    type: 'string',
    choices: mirostatVersions,
    help: `Use Mirostat 1 or 2 in place of all options that leave tokens out. Default: ${defaults.mirostat}.`,
  },
  'mirostat-tau': {
    type: 'string',
    value: 'X',
    help: `The surprise, in bits, that Mirostat aims at. Default: ${defaults.mirostatTau}.`,
  },
  'mirostat-eta': {
    type: 'string',
    value: 'X',
    help: `How fast Mirostat corrects itself. Default: ${defaults.mirostatEta}.`,
  },
  'repetition-penalty': {
    type: 'string',
    value: 'X',
    help: `With a value above 1, tokens that occurred before become less probable. Default: ${defaults.repetitionPenalty}.`,
  },
  'frequency-penalty': {
    type: 'string',
    value: 'X',
    help: `Subtract X from the logit of a token for each time that it occurred. Default: ${defaults.frequencyPenalty}.`,
  },
  'presence-penalty': {
    type: 'string',
    value: 'X',
    help: `Subtract X from the logit of a token that occurred. Default: ${defaults.presencePenalty}.`,
  },
  'penalty-last-n': {
    type: 'string',
    value: 'N',
    help: `How many of the last tokens the penalties count. -1 means all. Default: ${defaults.penaltyLastN}.`,
  },
  'dry-multiplier': {
    type: 'string',
    value: 'X',
    help: `DRY: the penalty for continuing a sequence that occurred before. Default: ${defaults.dryMultiplier}.`,
  },
  'dry-base': {
    type: 'string',
    value: 'X',
    help: `DRY: the penalty grows by this factor with each token. Default: ${defaults.dryBase}.`,
  },
  'dry-allowed-length': {
    type: 'string',
    value: 'N',
    help: `DRY: sequences of fewer than N tokens may come again. Default: ${defaults.dryAllowedLength}.`,
  },
  'dry-penalty-last-n': {
    type: 'string',
    value: 'N',
    help: `DRY: how many of the last tokens to look at. -1 means all. Default: ${defaults.dryPenaltyLastN}.`,
  },
  'dry-sequence-breaker': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: `DRY: a text that a repeated sequence does not reach over. May be repeated. An empty text means none. Default: ${defaults.drySequenceBreakers.map((text) => JSON.stringify(text)).join(', ')}.`,
  },
  'logit-bias': {
    type: 'string',
    multiple: true,
    value: 'ID=X',
    help: 'Add X to the logit of a token, or ban it with ID=false. May be repeated. Default: none.',
  },
  'ignore-eos': {
    type: 'boolean',
    help: 'Never choose a token that ends a text.',
  },
  seed: {
    type: 'string',
    value: 'N',
    help: 'The random seed. The same seed gives the same answer. Default: a random one.',
  },
  stop: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A text that ends the answer. May be repeated. Default: none.',
  },
  'stop-id': {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'The id of a token that ends the answer. May be repeated. Default: none.',
  },
  logprobs: {
    type: 'string',
    value: 'N',
    help: 'With --json: add the probability of each token and of the N most probable ones. Default: none.',
  },
  'prompt-lookup-num-tokens': {
    type: 'string',
    value: 'N',
    help: `Where the last tokens occurred before, also try up to N of the tokens that came next. The answer is the same, and faster if it repeats itself or the prompt. 10 is usual, 0 is off. Default: ${defaults.promptLookupNumTokens}.`,
  },
  'max-matching-ngram-size': {
    type: 'string',
    value: 'N',
    help: `With --prompt-lookup-num-tokens: look up at most the last N tokens. Default: ${defaults.maxMatchingNgramSize}.`,
  },
} as const satisfies CommandOptions;

type Values = OptionValues<typeof samplingOptions>;

export function parseSampling(values: Values): SendOptions {
  const count = (name: keyof Values & string, min = 0) =>
    integer(values[name] as string | undefined, `--${name}`, min);
  const number = (name: keyof Values & string, min: number, max?: number) =>
    numberInRange(values[name] as string | undefined, `--${name}`, min, max);
  const settings = {
    maxTokens: count('max-tokens', 1),
    temperature: number('temperature', 0),
    topK: count('top-k'),
    topP: number('top-p', 0, 1),
    minP: number('min-p', 0, 1),
    typicalP: number('typical-p', 0, 1),
    topNSigma: number('top-n-sigma', 0),
    minKeep: count('min-keep'),
    xtcProbability: number('xtc-probability', 0, 1),
    xtcThreshold: number('xtc-threshold', 0, 1),
    dynatempRange: number('dynatemp-range', 0),
    dynatempExponent: number('dynatemp-exponent', 0),
    mirostat: version(values.mirostat),
    mirostatTau: number('mirostat-tau', 0),
    mirostatEta: number('mirostat-eta', 0),
    repetitionPenalty: number('repetition-penalty', 0),
    frequencyPenalty: number('frequency-penalty', -1000, 1000),
    presencePenalty: number('presence-penalty', -1000, 1000),
    penaltyLastN: lastTokens(values, 'penalty-last-n'),
    dryMultiplier: number('dry-multiplier', 0),
    dryBase: number('dry-base', 1),
    dryAllowedLength: count('dry-allowed-length', 1),
    dryPenaltyLastN: lastTokens(values, 'dry-penalty-last-n'),
    drySequenceBreakers: values['dry-sequence-breaker']?.filter((text) => text !== ''),
    logitBias: biases(values['logit-bias']),
    ignoreEos: values['ignore-eos'],
    seed: count('seed'),
    stop: values.stop,
    stopIds: values['stop-id']?.map((id) => integer(id, '--stop-id', 0)),
    logprobs: count('logprobs'),
    promptLookupNumTokens: count('prompt-lookup-num-tokens'),
    maxMatchingNgramSize: count('max-matching-ngram-size', 1),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as SendOptions;
}

function version(text: string | undefined): number | undefined {
  const chosen = oneOf(text, '--mirostat', mirostatVersions);
  return chosen === undefined ? undefined : Number(chosen);
}

/** -1 means all tokens. */
function lastTokens(
  values: Values,
  name: 'penalty-last-n' | 'dry-penalty-last-n',
): number | undefined {
  const text = values[name];
  return text === '-1' ? -1 : integer(text, `--${name}`, 0);
}

function biases(texts: readonly string[] | undefined): GenerateOptions['logitBias'] | undefined {
  return texts && Object.fromEntries(texts.map(biasOf));
}

function biasOf(text: string): [number, number | false] {
  const [, id, bias] = /^(\d+)=(.+)$/.exec(text) ?? [];
  if (id === undefined || bias === undefined) {
    const message = `--logit-bias must be a token id and a number, such as 13=-2 or 13=false, not "${text}".`;
    throw new UsageError(message, '--logit-bias');
  }
  const value = bias === 'false' ? false : numberInRange(bias, '--logit-bias', -1e6, 1e6);
  return [Number(id), value ?? false];
}
