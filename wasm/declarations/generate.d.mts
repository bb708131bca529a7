import type {
  DecideJob,
  DeviceCheck,
  DeviceRows,
  GeneratedToken,
  GenerateJob,
  GeneratorModel,
  HeapRange,
  Loader,
  LogitsJob,
  OutcomeText,
  PassJob,
  PassProgress,
  PerplexityJob,
  PromptCache,
  SavedPromptCache,
  TensorPlace,
  TensorTaker,
} from './types.mjs';

/** Models that generate text. Texts are UTF-8, settings JSON. A prompt is a text, with the special tokens around it
 *  unless settings say `special: false`, or the `ids` of the settings. */
export interface GenerateBindings {
  /** The tensors that a model holds although it does not hold its layers. */
  neededTensors(loader: Loader): OutcomeText<TensorPlace[]>;
  /** Where the bytes of a tensor go; then call `putTensor`. */
  tensorWindow(taker: TensorTaker, tensor: number): OutcomeText<HeapRange>;
  putTensor(taker: TensorTaker): OutcomeText<null>;

  /** Drops parts until this one has room, and says which tensors it lacks. */
  roomFor(model: GeneratorModel, part: number): OutcomeText<TensorPlace[]>;
  /** What the next part after this one lacks, to be read ahead. */
  lackingNext(model: GeneratorModel, part: number): OutcomeText<TensorPlace[]>;

  /** `settings` are GenerateOptions, with all stop texts in a list, and may have several `prompts`, each with a seed of
   *  its own. Then stepGenerate() until it is done. */
  beginGenerate(
    model: GeneratorModel,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<GenerateJob>;
  /** Does a moment's work. Tokens of the prompt are counted until there is a first one of the answer. */
  stepGenerate(job: GenerateJob): OutcomeText<
    PassProgress & {
      /** The tokens so far of all answers. */
      made: number;
      /** How many answers have begun. */
      begun: number;
      /** The answers whose first token, and whose last token, this step made. */
      answering: number[];
      ended: number[];
      /** `sequence` says which answer if there are several. */
      tokens: (GeneratedToken & { sequence?: number })[];
    }
  >;
  /** Until now, of each answer, prompt by prompt; `stop` is null while there is no reason. */
  generated(job: GenerateJob): OutcomeText<
    {
      promptIds: number[];
      /** Tokens of the prompt that were not computed for this answer. */
      reused: number;
      ids: number[];
      text: string;
      stop: 'eos' | 'stop' | 'length' | 'context' | 'format' | null;
      /** For an answer with a form: whether the text has the whole of it. */
      complete?: boolean;
    }[]
  >;

  /** The keys and values of a conversation, none at first. */
  createPromptCache(model: GeneratorModel): OutcomeText<PromptCache>;
  forkPromptCache(cache: PromptCache): OutcomeText<PromptCache>;
  /** Tokens and bytes that are kept, and the note with which the cache was saved. */
  promptCacheFacts(
    cache: PromptCache,
  ): OutcomeText<{ tokens: number; bytes: number; note: string }>;
  /** As beginGenerate(). What the cache has of the prompt is not computed; the cache does not change. */
  beginGenerateAfter(
    cache: PromptCache,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<GenerateJob>;
  /** The cache takes over the tokens of the only answer of a job so far. */
  keepGenerated(cache: PromptCache, job: GenerateJob): OutcomeText<null>;
  /** `note` is UTF-8. */
  savePromptCache(cache: PromptCache, note: Uint8Array): OutcomeText<SavedPromptCache>;
  /** Write the bytes to its range, then restorePromptCache(). */
  createSavedPromptCache(size: number): OutcomeText<SavedPromptCache>;
  restorePromptCache(model: GeneratorModel, saved: SavedPromptCache): OutcomeText<PromptCache>;

  /** A part of the passes of a job. Call it until it is done. */
  stepPass(job: PassJob): OutcomeText<PassProgress>;

  /** `settings` may say `all`. Then stepPass() until it is done. */
  beginLogits(model: GeneratorModel, text: Uint8Array, settings: string): OutcomeText<LogitsJob>;

  /** `options` is JSON {questions: [{head, items}], texts: [{head, items}], special, byTokens, prior}. A question has what
   *  errors call its answers, and these; a text what the prompts about it begin with, and the rest for each question. With
   *  `prior` the first text is for comparison only. Then stepPass() until it is done. */
  beginDecide(model: GeneratorModel, options: string): OutcomeText<DecideJob>;

  /** `settings` are PerplexityOptions without signal and onProgress. Then stepPass() until it is done. */
  beginPerplexity(
    model: GeneratorModel,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<PerplexityJob>;
  /** A Perplexity. */
  perplexityReport(job: PerplexityJob): OutcomeText<unknown>;

  /** What a device has to do (core/infer/decoder/plan/device_plan.h), for a model that was loaded with `device`. */
  devicePlan(model: GeneratorModel): OutcomeText<number[]>;
  /** A pass over tokens that are always the same, part by part. A step gives u32 numbers, which
   *  core/api/decoder/device_jobs.h lists. */
  beginDeviceCheck(model: GeneratorModel): OutcomeText<DeviceCheck>;
  stepDeviceCheck(check: DeviceCheck): OutcomeText<HeapRange>;
  /** Whether a device computes the passes from now on. Without it, passes ask for the weights again. */
  setDevice(model: GeneratorModel, on: boolean): OutcomeText<boolean>;
  /** The rows that the last pass waits for, which has asked for part 4294967295. */
  deviceRows(model: GeneratorModel): OutcomeText<DeviceRows>;
  /** After the results are written, or with `restart` where the device has not the tokens before. */
  answerDeviceRows(rows: DeviceRows, restart: boolean): OutcomeText<boolean>;
}
