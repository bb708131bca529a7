// How the next token is chosen. The steps run in the order of the options here; each sees what the steps before it left.

/** An option that is absent has its default, and one that is 0, or 1 for shares, leaves its step out. The order is that
 *  of llama.cpp: first what changes logits, then what leaves tokens out, and the temperature last. */
export interface SamplingOptions {
  /** A number from -1,000,000 to 1,000,000 that is added to the logit of a token, by id. `-Infinity` bans the token. So does
   *  `false`, which JSON can hold. */
  readonly logitBias?: Readonly<Record<number, number | false>>;
  /** Bans the tokens that end a text, so that the answer ends by other reasons only; false when absent. */
  readonly ignoreEos?: boolean;

  /** How many of the last tokens of prompt and answer the three penalties count. -1, the default, means all, 0 none. */
  readonly penaltyLastN?: number;
  /** Divides the logit of a token that occurred, or multiplies it if it is negative. 1, the default, changes nothing. */
  readonly repetitionPenalty?: number;
  /** Is subtracted from the logit of a token for each time that it occurred; 0 when absent. */
  readonly frequencyPenalty?: number;
  /** Is subtracted from the logit of a token that occurred; 0 when absent. */
  readonly presencePenalty?: number;

  /** DRY: a penalty for a token that would continue a sequence that occurred before, which is this times `dryBase` to the
   *  power of the sequence's length beyond `dryAllowedLength`. 0, the default, turns it off; 0.8 is usual. */
  readonly dryMultiplier?: number;
  /** 1.75 when absent. */
  readonly dryBase?: number;
  /** Sequences of fewer tokens may come again; 2 when absent. */
  readonly dryAllowedLength?: number;
  /** How many of the last tokens DRY looks at. -1, the default, means all, 0 none. */
  readonly dryPenaltyLastN?: number;
  /** Texts that a repeated sequence does not reach over. A line break, `:`, `"` and `*` when absent. */
  readonly drySequenceBreakers?: readonly string[];

  /** Keeps the tokens whose logits are within this many standard deviations of the highest one. 0, the default, keeps all. */
  readonly topNSigma?: number;
  /** Keeps this many of the most probable tokens. 0, the default, keeps all. */
  readonly topK?: number;
  /** Keeps the most typical tokens whose probabilities add up to this: those that are about as surprising as the next token
   *  is expected to be. 1 when absent. */
  readonly typicalP?: number;
  /** Keeps the most probable tokens whose probabilities add up to this; 0.9 when absent. */
  readonly topP?: number;
  /** Leaves out tokens with less than this share of the highest probability; 0 when absent. */
  readonly minP?: number;
  /** `typicalP`, `topP`, `minP` and XTC keep at least this many tokens; 0 when absent. */
  readonly minKeep?: number;
  /** XTC: how often to leave out the top choices, from 0, the default, to 1 for always. */
  readonly xtcProbability?: number;
  /** XTC keeps only the least probable of the tokens with at least this probability; 0.1 when absent. Above 0.5 it
   *  changes nothing. */
  readonly xtcThreshold?: number;

  /** 0 always chooses the most probable token, after biases and penalties; 0.8 when absent. */
  readonly temperature?: number;
  /** With a range the temperature is between `temperature - dynatempRange`, if one token is nearly certain, and
   *  `temperature + dynatempRange`, if all are equally probable; 0 when absent. */
  readonly dynatempRange?: number;
  /** Above 1 the temperature stays low longer, below 1 it rises sooner; 1, the default, follows the entropy. */
  readonly dynatempExponent?: number;

  /** 1 or 2 use this version of Mirostat in place of all steps that leave tokens out: it holds the surprise of the tokens
   *  near `mirostatTau`. 0 when absent. */
  readonly mirostat?: number;
  /** In bits; 5 when absent. */
  readonly mirostatTau?: number;
  /** How fast Mirostat corrects itself; 0.1 when absent. */
  readonly mirostatEta?: number;

  /** Equal seeds give equal texts, in every browser and in Node. An integer from 0 on; random when absent. */
  readonly seed?: number;
}

/** The defaults of options that are absent. */
export const samplingDefaults = {
  penaltyLastN: -1,
  repetitionPenalty: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  dryMultiplier: 0,
  dryBase: 1.75,
  dryAllowedLength: 2,
  dryPenaltyLastN: -1,
  drySequenceBreakers: ['\n', ':', '"', '*'],
  topNSigma: 0,
  topK: 0,
  typicalP: 1,
  topP: 0.9,
  minP: 0,
  minKeep: 0,
  xtcProbability: 0,
  xtcThreshold: 0.1,
  temperature: 0.8,
  dynatempRange: 0,
  dynatempExponent: 1,
  mirostat: 0,
  mirostatTau: 5,
  mirostatEta: 0.1,
} as const satisfies SamplingOptions;
