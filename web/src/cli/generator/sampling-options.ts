// The options of `ambry generate` and `ambry chat` that say how tokens are chosen and when the answer ends.
import { generateDefaults } from '../../entries/tables.ts';
import type { GenerateOptions, SendOptions } from '../../entries/types.ts';
import { asGiven, callOptions, count, number } from '../shared/call-options.ts';
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
    read: count(1),
  },
  temperature: {
    type: 'string',
    value: 'X',
    help: `The sampling temperature. With 0 the most probable token is always taken. Default: ${defaults.temperature}.`,
    read: number(0),
  },
  'top-k': {
    type: 'string',
    value: 'N',
    help: 'Sample from the N most probable tokens only. Default: from all.',
    read: count(),
  },
  'top-p': {
    type: 'string',
    value: 'X',
    help: `Sample from the most probable tokens whose probabilities add up to X. Default: ${defaults.topP}.`,
    read: number(0, 1),
  },
  'min-p': {
    type: 'string',
    value: 'X',
    help: `Sample only from tokens that are at least X times as probable as the most probable one. Default: ${defaults.minP}.`,
    read: number(0, 1),
  },
  'typical-p': {
    type: 'string',
    value: 'X',
    help: `Sample from the most typical tokens whose probabilities add up to X. Default: ${defaults.typicalP}.`,
    read: number(0, 1),
  },
  'top-n-sigma': {
    type: 'string',
    value: 'X',
    help: `Sample only from tokens whose logits are within X standard deviations of the highest one. 0 means all. Default: ${defaults.topNSigma}.`,
    read: number(0),
  },
  'min-keep': {
    type: 'string',
    value: 'N',
    help: `--top-p, --min-p, --typical-p and XTC keep at least N tokens. Default: ${defaults.minKeep}.`,
    read: count(),
  },
  'xtc-probability': {
    type: 'string',
    value: 'X',
    help: `XTC: how often to leave out the top choices, from 0 to 1. Default: ${defaults.xtcProbability}.`,
    read: number(0, 1),
  },
  'xtc-threshold': {
    type: 'string',
    value: 'X',
    help: `XTC: tokens of at least this probability are top choices. The least probable of them stays. Default: ${defaults.xtcThreshold}.`,
    read: number(0, 1),
  },
  'dynatemp-range': {
    type: 'string',
    value: 'X',
    help: `Let the temperature follow the entropy, by up to X below and above --temperature. Default: ${defaults.dynatempRange}.`,
    read: number(0),
  },
  'dynatemp-exponent': {
    type: 'string',
    value: 'X',
    help: `With --dynatemp-range: above 1 the temperature rises later, below 1 sooner. Default: ${defaults.dynatempExponent}.`,
    read: number(0),
  },
  mirostat: {
    type: 'string',
    choices: mirostatVersions,
    help: `Use Mirostat 1 or 2 in place of all options that leave tokens out. Default: ${defaults.mirostat}.`,
    read: readVersion,
  },
  'mirostat-tau': {
    type: 'string',
    value: 'X',
    help: `The surprise, in bits, that Mirostat aims at. Default: ${defaults.mirostatTau}.`,
    read: number(0),
  },
  'mirostat-eta': {
    type: 'string',
    value: 'X',
    help: `How fast Mirostat corrects itself. Default: ${defaults.mirostatEta}.`,
    read: number(0),
  },
  'repetition-penalty': {
    type: 'string',
    value: 'X',
    help: `With a value above 1, tokens that occurred before become less probable. Default: ${defaults.repetitionPenalty}.`,
    read: number(0),
  },
  'frequency-penalty': {
    type: 'string',
    value: 'X',
    help: `Subtract X from the logit of a token for each time that it occurred. Default: ${defaults.frequencyPenalty}.`,
    read: number(-1000, 1000),
  },
  'presence-penalty': {
    type: 'string',
    value: 'X',
    help: `Subtract X from the logit of a token that occurred. Default: ${defaults.presencePenalty}.`,
    read: number(-1000, 1000),
  },
  'penalty-last-n': {
    type: 'string',
    value: 'N',
    help: `How many of the last tokens the penalties count. -1 means all. Default: ${defaults.penaltyLastN}.`,
    read: readLastTokens,
  },
  'dry-multiplier': {
    type: 'string',
    value: 'X',
    help: `DRY: the penalty for continuing a sequence that occurred before. Default: ${defaults.dryMultiplier}.`,
    read: number(0),
  },
  'dry-base': {
    type: 'string',
    value: 'X',
    help: `DRY: the penalty grows by this factor with each token. Default: ${defaults.dryBase}.`,
    read: number(1),
  },
  'dry-allowed-length': {
    type: 'string',
    value: 'N',
    help: `DRY: sequences of fewer than N tokens may come again. Default: ${defaults.dryAllowedLength}.`,
    read: count(1),
  },
  'dry-penalty-last-n': {
    type: 'string',
    value: 'N',
    help: `DRY: how many of the last tokens to look at. -1 means all. Default: ${defaults.dryPenaltyLastN}.`,
    read: readLastTokens,
  },
  'dry-sequence-breaker': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: `DRY: a text that a repeated sequence does not reach over. May be repeated. An empty text means none. Default: ${defaults.drySequenceBreakers.map((text) => JSON.stringify(text)).join(', ')}.`,
    as: 'drySequenceBreakers',
    read: readBreakers,
  },
  'logit-bias': {
    type: 'string',
    multiple: true,
    value: 'ID=X',
    help: 'Add X to the logit of a token, or ban it with ID=false. May be repeated. Default: none.',
    read: readBiases,
  },
  'ignore-eos': {
    type: 'boolean',
    help: 'Never choose a token that ends a text.',
    read: asGiven,
  },
  seed: {
    type: 'string',
    value: 'N',
    help: 'The random seed. The same seed gives the same answer. Default: a random one.',
    read: count(),
  },
  stop: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A text that ends the answer. May be repeated. Default: none.',
    read: asGiven,
  },
  'stop-id': {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'The id of a token that ends the answer. May be repeated. Default: none.',
    as: 'stopIds',
    read: readIds,
  },
  logprobs: {
    type: 'string',
    value: 'N',
    help: 'With --json: add the probability of each token and of the N most probable ones. Default: none.',
    read: count(),
  },
  'prompt-lookup-num-tokens': {
    type: 'string',
    value: 'N',
    help: `Where the last tokens occurred before, also try up to N of the tokens that came next. The answer is the same, and faster if it repeats itself or the prompt. 10 is usual, 0 is off. Default: ${defaults.promptLookupNumTokens}.`,
    read: count(),
  },
  'max-matching-ngram-size': {
    type: 'string',
    value: 'N',
    help: `With --prompt-lookup-num-tokens: look up at most the last N tokens. Default: ${defaults.maxMatchingNgramSize}.`,
    read: count(1),
  },
} as const satisfies CommandOptions;

export const parseSampling = (values: OptionValues<typeof samplingOptions>): SendOptions =>
  callOptions(samplingOptions, values);

function readVersion(text: string, flag: string): number {
  return Number(oneOf(text, flag, mirostatVersions));
}

/** -1 means all tokens. */
function readLastTokens(text: string, flag: string): number | undefined {
  return text === '-1' ? -1 : integer(text, flag, 0);
}

function readBreakers(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '');
}

function readIds(texts: readonly string[], flag: string): (number | undefined)[] {
  return texts.map((id) => integer(id, flag, 0));
}

function readBiases(texts: readonly string[]): GenerateOptions['logitBias'] {
  return Object.fromEntries(texts.map(biasOf));
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
