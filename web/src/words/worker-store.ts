// Word vectors in the worker's heap: the whole file, or in range mode the vocabulary. In range mode the rows are
// fetched when a call needs them.

import type { Embedded, EmbedInput } from '../model/embedding.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { loadModel, openedModel, openHead } from '../model/worker-load.ts';
import { embedTexts } from '../model/worker-texts.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { bytesOf, copyOut, encode, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { RangedFile } from '../sources/ranged.ts';
import type { OutcomeText, WordsModel, WordsModule } from '../wasm/module.mjs';
import type { WordsCalls } from './protocol.ts';
import type {
  AccuracyReport,
  ScoredWord,
  WordExplanation,
  WordFound,
  WordVectorBatch,
} from './types.ts';

type Settings<C extends 'similarWords' | 'analogy'> = WordsCalls[C]['in']['settings'];

const foundByCode: readonly WordFound[] = ['none', 'known', 'subwords'];
/** The number of words whose rows are fetched and used together. The cache is large enough for them. */
const wordsAtOnce = 1024;
/** Requests at the same time. Browsers allow six per server. */
const requests = 6;

export class WordsStore {
  readonly #module: WordsModule;
  readonly #model: WordsModel;
  /** Set in range mode. */
  readonly #file: RangedFile | undefined;
  #hasCodes = false;

  private constructor(module: WordsModule, model: WordsModel, file?: RangedFile) {
    this.#module = module;
    this.#model = model;
    this.#file = file;
  }

  static async load(
    module: WordsModule,
    source: ByteSource,
    context: CallContext,
  ): Promise<WordsStore> {
    return new WordsStore(module, await loadModel(module, 'words', source, context));
  }

  static async openRanged(
    module: WordsModule,
    file: RangedFile,
    { signal }: CallContext,
  ): Promise<WordsStore> {
    const model = await openHead(module, 'words', file.source(signal), { ranged: true });
    await file.keepHead();
    return new WordsStore(module, model, file);
  }

  facts(): OpenedModel {
    return openedModel(this.#module, 'words', this.#model);
  }

  async vectors(
    words: readonly string[],
    unnormalized: boolean,
    context: CallContext,
  ): Promise<WordVectorBatch> {
    const parts: Awaited<ReturnType<WordsStore['some']>>[] = [];
    for (let at = 0; at < words.length || at === 0; at += wordsAtOnce) {
      const list = JSON.stringify(words.slice(at, at + wordsAtOnce));
      await this.#fetch(() => this.#module.missingRows(this.#model, list), context);
      parts.push(await this.some(list, unnormalized));
    }
    const vectors = joinedFloats(parts.map((part) => part.rows));
    const norms = joinedFloats(parts.map((part) => part.norms));
    context.transfer.push(vectors.buffer, norms.buffer);
    return { vectors, norms, found: parts.flatMap((part) => part.found) };
  }

  /** The result of `vectors` for words whose rows are in memory. */
  private some(list: string, unnormalized: boolean) {
    const module = this.#module;
    const made = unwrap(module.wordVectors(this.#model, list, unnormalized));
    return using(module, made, (batch) => {
      const { rows, norms, found } = unwrap(module.wordBatch(batch));
      return {
        rows: new Float32Array(copyOut(module, rows).buffer),
        norms: new Float32Array(copyOut(module, norms).buffer),
        found: Array.from(copyOut(module, found), (i) => foundByCode[i] ?? 'none'),
      };
    });
  }

  async explain(word: string, context: CallContext): Promise<WordExplanation> {
    const list = JSON.stringify([word]);
    await this.#fetch(() => this.#module.missingRows(this.#model, list), context);
    return unwrap(this.#module.explainWord(this.#model, encode(word))) as WordExplanation;
  }

  async similar(
    query: string | Float32Array,
    settings: Settings<'similarWords'>,
    context: CallContext,
  ): Promise<ScoredWord[]> {
    await this.#fetchCodes(context);
    const options = toJson(settings);
    return unwrap(
      typeof query === 'string'
        ? this.#module.similarWords(this.#model, encode(query), options)
        : this.#module.wordsSimilarTo(this.#model, bytesOf(query), options),
    );
  }

  async analogy(
    [a, b, c]: readonly [string, string, string],
    settings: Settings<'analogy'>,
    context: CallContext,
  ): Promise<ScoredWord[]> {
    await this.#fetchCodes(context);
    const words = [encode(a), encode(b), encode(c)] as const;
    return unwrap(this.#module.analogy(this.#model, ...words, toJson(settings)));
  }

  async accuracy(questions: string, context: CallContext): Promise<AccuracyReport> {
    await this.#fetchCodes(context);
    const module = this.#module;
    return using(module, unwrap(module.beginAccuracy(this.#model)), (job) =>
      withEventLoop(async (eventLoop) => {
        unwrap(module.addQuestions(job, encode(questions)));
        for (let isDone = false; !isDone; ) {
          await eventLoop.turn(context.signal);
          const { done, asked: loaded, total } = unwrap(module.stepAccuracy(job));
          context.report({ phase: 'accuracy', loaded, total, cached: false });
          isDone = done;
        }
        return unwrap(module.accuracyReport(job)) as AccuracyReport;
      }),
    );
  }

  list(offset: number, limit: number): string[] {
    return unwrap(this.#module.listWords(this.#model, offset, limit));
  }

  /** Before each step it fetches the rows that the step needs. */
  embed(
    { texts, settings: { prompt, ...others } }: EmbedInput,
    context: CallContext,
  ): Promise<Embedded> {
    const module = this.#module;
    const settings = prompt ? { prompt, ...others } : others;
    const job = unwrap(module.beginTexts('sentences', this.#model, toJson(settings)));
    const prepare = () => this.#fetch(() => module.missingOfSentences(job), context);
    return embedTexts(module, job, texts, context, prepare);
  }

  /** In range mode: fetches the missing rows and passes them to the core. */
  async #fetch(
    missing: () => OutcomeText<[number, number][]>,
    { signal }: CallContext,
  ): Promise<void> {
    const file = this.#file;
    if (!file || this.#hasCodes) {
      return;
    }
    const ranges = unwrap(missing());
    const readNext = async () => {
      for (let range = ranges.shift(); range; range = ranges.shift()) {
        const [offset, size] = range;
        const bytes = await file.source(signal).read(offset, size);
        unwrap(this.#module.supplyRows(this.#model, offset, bytes));
      }
    };
    await Promise.all(Array.from({ length: requests }, readNext));
  }

  /** In range mode: fetches the data for queries over all words. */
  async #fetchCodes(context: CallContext): Promise<void> {
    if (!this.#file || this.#hasCodes) {
      return;
    }
    const source = this.#file.source(context.signal);
    await using(this.#module, unwrap(this.#module.beginCodes(this.#model)), (codes) =>
      fillSink(this.#module, codes, source, context, source.phase),
    );
    this.#hasCodes = true;
  }
}

function joinedFloats(parts: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const [first] = parts;
  if (parts.length === 1 && first) {
    return first;
  }
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
