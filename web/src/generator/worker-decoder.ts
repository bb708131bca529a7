// A language model in the worker's heap: the whole model, or as much as `resident` allows.

import { AmbryError } from '../base/errors.ts';
import type { Embedded, EmbedInput } from '../model/embedding.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel, OpenRequest } from '../model/protocol.ts';
import { loadModel, openedModel, openHead } from '../model/worker-load.ts';
import { embedTexts, runTextWork } from '../model/worker-texts.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, toJson, unwrap, using, wellFormed } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { RangedFile } from '../sources/ranged.ts';
import type {
  GeneratorModel,
  GeneratorModule,
  OutcomeText,
  PassProgress,
} from '../wasm/module.mjs';
import type { GeneratorCalls, WirePrompt, WireRequest } from './base/protocol.ts';
import type { DeviceFacts, GeneratorInfo, LayerStreaming, Perplexity } from './base/types.ts';
import { DeviceUse, devicePart } from './worker-device-use.ts';
import { Generation } from './worker-generation.ts';
import { Sessions } from './worker-sessions.ts';
import { WeightFeed } from './worker-weight-feed.ts';

/** Bytes of layers that are read and run to measure the speed. */
const probeBytes = 32 << 20;

type DecoderSettings = Pick<OpenRequest, 'weights' | 'kv' | 'context' | 'resident' | 'device'>;

export class Decoder {
  readonly #module: GeneratorModule;
  readonly model: GeneratorModel;
  /** The file of the layers that are not in memory. */
  readonly #feed: WeightFeed | undefined;
  /** Conversations that keep their keys and values. */
  readonly sessions: Sessions;
  #device: DeviceUse | undefined;
  /** What is said of the device, where one was asked for. */
  #deviceFacts: DeviceFacts | undefined;
  #speed: Pick<LayerStreaming, 'bytesPerSecond' | 'tokensPerSecond'> | undefined;

  private constructor(module: GeneratorModule, model: GeneratorModel, feed?: WeightFeed) {
    this.#module = module;
    this.model = model;
    this.#feed = feed;
    this.sessions = new Sessions(module, model);
  }

  static async load(
    module: GeneratorModule,
    source: ByteSource,
    settings: DecoderSettings,
    context: CallContext,
  ): Promise<Decoder> {
    const how = { options: settingsIn(settings) };
    return new Decoder(module, await loadModel(module, 'generator', source, context, how));
  }

  /** Keeps at most `settings.resident` bytes in memory, and reads the other weights on demand. */
  static async openRanged(
    module: GeneratorModule,
    file: RangedFile,
    settings: DecoderSettings,
    { signal, report }: CallContext,
  ): Promise<Decoder> {
    const source = file.source(signal);
    const feed = new WeightFeed(module, file);
    const { phase } = source;
    const model = await openHead(module, 'generator', source, settingsIn(settings), (loader) =>
      feed.begin(loader, signal, (loaded, total) =>
        report({ phase, loaded, total, cached: false }),
      ),
    );
    const generator = new Decoder(module, model, feed);
    await generator.#measure(signal).catch(unlessEmbedder);
    return generator;
  }

  /** Runs the passes on a graphics processor, or in WebAssembly where that is not possible: then the facts say why. */
  static async openOnDevice(
    module: GeneratorModule,
    file: RangedFile,
    settings: DecoderSettings,
    context: CallContext,
  ): Promise<Decoder> {
    const { signal, report } = context;
    const source = file.source(signal);
    const { phase } = source;
    const feed = new WeightFeed(module, file, (loaded) =>
      report({ phase, loaded, total: source.size ?? 0, cached: false }),
    );
    const options = { ...settingsIn(settings), device: true };
    const model = await openHead(module, 'generator', source, options, (loader) =>
      feed.begin(loader, signal, () => undefined),
    );
    const decoder = new Decoder(module, model, feed);
    try {
      const isAuto = settings.device === 'auto';
      decoder.#device = await DeviceUse.open(module, model, feed, signal, isAuto);
      decoder.#deviceFacts = decoder.#device.facts;
      return decoder;
    } catch (error) {
      module.release(model);
      if (!(error instanceof AmbryError && error.path === 'options.device')) {
        throw error;
      }
      const whole = await Decoder.load(module, file.source(signal), settings, context);
      whole.#deviceFacts = { name: 'wasm', reason: error.message };
      return whole;
    }
  }

  facts(): OpenedModel {
    const opened = openedModel(this.#module, 'generator', this.model);
    const file = opened.info as FileInfo & { readonly generator: GeneratorInfo };
    const { streaming } = file.generator;
    const generator = {
      ...file.generator,
      streaming: streaming && { ...streaming, ...this.#speed },
      ...(this.#deviceFacts && { device: this.#deviceFacts }),
    };
    const kind = file.config?.['embeddingDim'] === undefined ? 'generator' : 'encoder';
    return { ...opened, info: { ...file, generator } as FileInfo, kind };
  }

  start({ prompt, settings, session }: GeneratorCalls['startGeneration']['in']): Generation {
    const module = this.#module;
    const { text, ...how } = isList(prompt) ? { text: '', prompts: prompt } : parted(prompt);
    const options = optionsText({ ...settings, ...how });
    const cache = session === undefined ? undefined : this.sessions.find(session);
    const begun =
      cache === undefined
        ? module.beginGenerate(this.model, encode(text), options)
        : module.beginGenerateAfter(cache, encode(text), options);
    const seeds = isList(prompt) ? prompt.map(({ seed }) => seed) : [settings.seed];
    return new Generation(module, unwrap(begun), this.#provide, { settings, seeds, cache });
  }

  logits(
    { prompt, all }: GeneratorCalls['logits']['in'],
    context: CallContext,
  ): Promise<Float32Array<ArrayBuffer>> {
    const module = this.#module;
    const { text, ...how } = parted(prompt);
    const options = toJson({ ...how, all });
    const begun = unwrap(module.beginLogits(this.model, encode(text), options));
    return using(module, begun, async (job) => {
      await this.#run(() => module.stepPass(job), 'prompt', context);
      const rows = new Float32Array(copyOut(module, unwrap(module.rangeOf(job))).buffer);
      context.transfer.push(rows.buffer);
      return rows;
    });
  }

  perplexity(
    { text, settings }: GeneratorCalls['perplexity']['in'],
    context: CallContext,
  ): Promise<Perplexity> {
    const module = this.#module;
    const options = toJson(settings);
    const begun = unwrap(module.beginPerplexity(this.model, encode(text), options));
    return using(module, begun, async (job) => {
      await this.#run(() => module.stepPass(job), 'perplexity', context);
      return unwrap(module.perplexityReport(job)) as Perplexity;
    });
  }

  embed({ texts, settings }: EmbedInput, context: CallContext): Promise<Embedded> {
    const module = this.#module;
    const job = unwrap(module.beginTexts('textEmbedding', this.model, optionsText(settings)));
    return embedTexts(module, job, texts, context, (part) => this.#prepare(part, context));
  }

  scorePrompts(
    { prompts, settings }: GeneratorCalls['scorePrompts']['in'],
    context: CallContext,
  ): Promise<Float32Array<ArrayBuffer>> {
    const module = this.#module;
    const options = optionsText({ prompts, ...settings });
    const job = unwrap(module.beginTexts('promptScores', this.model, options));
    return runTextWork(module, job, {
      phase: 'score',
      texts: [],
      add: () => prompts.length,
      context,
      prepare: (part) => this.#prepare(part, context),
      take: ({ rows }, moved) => new Float32Array(moved(rows)),
    });
  }

  decide(
    input: GeneratorCalls['decide']['in'],
    context: CallContext,
  ): Promise<Float64Array<ArrayBuffer>> {
    const module = this.#module;
    return using(
      module,
      unwrap(module.beginDecide(this.model, optionsText(input))),
      async (job) => {
        await this.#run(() => module.stepPass(job), 'score', context);
        const scores = new Float64Array(copyOut(module, unwrap(module.rangeOf(job))).buffer);
        context.transfer.push(scores.buffer);
        return scores;
      },
    );
  }

  /** Gives the core a part that a step lacks. */
  async #prepare(part: number | null, { signal }: CallContext): Promise<void> {
    if (part !== null) {
      await this.#provide(part, signal);
    }
  }

  #run(
    step: () => OutcomeText<PassProgress>,
    phase: 'prompt' | 'perplexity' | 'score',
    { signal, report }: CallContext,
  ): Promise<void> {
    return withEventLoop(async (eventLoop) => {
      for (;;) {
        await eventLoop.turn(signal);
        const { done, part, loaded, total } = unwrap(step());
        report({ phase, loaded, total, cached: false });
        if (done) {
          return;
        }
        if (part !== null) {
          const note = await this.#provide(part, signal);
          if (note !== undefined) {
            report({ phase, loaded, total, cached: false, note });
          }
        }
      }
    });
  }

  /** Returns what is to be said of a device that failed. */
  readonly #provide = async (part: number, signal: AbortSignal): Promise<string | undefined> => {
    if (part === devicePart) {
      return this.#device?.answer(signal);
    }
    await this.#feed?.provide(this.model, part, signal);
    return undefined;
  };

  /** Estimates the speed: reads and runs the first layers for one token. */
  async #measure(signal: AbortSignal): Promise<void> {
    const module = this.#module;
    const feed = this.#feed;
    const { info } = unwrap(module.modelFacts(this.model));
    const { streaming } = (info as { readonly generator: GeneratorInfo }).generator;
    if (!streaming || !feed) {
      return;
    }
    const before = feed.bytes;
    const begin = performance.now();
    const prompt = JSON.stringify({ ids: [0] });
    const begun = unwrap(module.beginLogits(this.model, new Uint8Array(0), prompt));
    await using(module, begun, async (job) => {
      for (let isDone = false; !isDone && feed.bytes - before < probeBytes; ) {
        const step = unwrap(module.stepPass(job));
        if (step.part !== null) {
          await this.#provide(step.part, signal);
        }
        isDone = step.done;
      }
    });
    const seconds = (performance.now() - begin) / 1000;
    const bytesPerSecond = (feed.bytes - before) / seconds;
    this.#speed = { bytesPerSecond, tokensPerSecond: bytesPerSecond / streaming.bytesPerPass };
  }
}

function isList(prompt: WirePrompt | readonly WireRequest[]): prompt is readonly WireRequest[] {
  return Array.isArray(prompt);
}

function parted(prompt: WirePrompt) {
  return 'ids' in prompt ? { text: '', ids: prompt.ids } : prompt;
}

/** JSON turns numbers that are not finite into null, which would be an absent option. The core reads false as the bias that
 *  bans a token, and refuses it and texts elsewhere. */
function optionsText(options: object): string {
  return toJson(options, (_, value) => {
    if (value === Number.NEGATIVE_INFINITY) {
      return false;
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return String(value);
    }
    return typeof value === 'string' ? wellFormed(value) : value;
  });
}

/** A model that only makes embeddings gives no logits to measure with. */
function unlessEmbedder(error: unknown): void {
  if (!(error instanceof AmbryError && error.code === 'Unsupported')) {
    throw error;
  }
}

function settingsIn({ weights, kv, context, resident }: DecoderSettings) {
  return { weights, kv, context, resident };
}
