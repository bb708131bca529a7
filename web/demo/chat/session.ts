// Everything the chat page can do. Whatever fails leaves the page as it was, and what was written stays.

import { AmbryError, type ChatMessage, type GeneratedToken, open, type Prompt } from 'ambry';
import { builtInSource, type FileSource, fileSource, urlSource } from '../shared/file-source.ts';
import type { FileHaul } from '../shared/given-files.ts';
import { type JobContext, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { builtInFile, firstBeginning } from './built-in.ts';
import { modelPart, write } from './generate.ts';
import {
  type MemoryChoice,
  memoryFor,
  openOptionsOf,
  optionsOf,
  type Sampling,
  someSeed,
} from './settings.ts';
import type { ChatState, LoadedModel, Mode, Part } from './state.ts';

const kEnding = /\.(amb|alt)$/i;

const personPart = (text: string): Part => ({ from: 'person', text, tokens: [] });

const messagesOf = (parts: readonly Part[]): ChatMessage[] =>
  parts.map(({ from, text }) => ({
    role: from === 'person' ? 'user' : 'assistant',
    content: text,
  }));

async function openGenerator(
  from: FileSource,
  memory: MemoryChoice,
  runtime: Runtime,
  { signal, report }: JobContext,
): Promise<LoadedModel> {
  const model = await open(from.source, {
    ...runtime,
    ...openOptionsOf(memory),
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
  const { generator } = model.info;
  if (generator === undefined) {
    await model.dispose();
    throw new AmbryError('Unsupported', 'This model does not write text');
  }
  return { ...from, model, generator };
}

export class ChatSession {
  readonly #store: Store<ChatState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ChatState>;
  #measuring = new AbortController();

  constructor(store: Store<ChatState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** The page's first act: its own model, which begins a story, the same for everyone. */
  async begin(): Promise<void> {
    await this.openBuiltIn();
    if (this.#store.state.loaded !== null) {
      await this.#write(firstBeginning, [personPart(firstBeginning)]);
    }
  }

  openBuiltIn(): Promise<void> {
    return this.#open('Loading the built-in model', builtInSource(builtInFile, kEnding));
  }

  async openUrl(url: string): Promise<void> {
    await this.#open(`Loading ${url}`, urlSource(url, kEnding));
  }

  /** Takes whatever was dropped or picked. */
  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const { files } = await haul;
      const file = files[0]?.file;
      if (file === undefined || files.length > 1) {
        this.#store.update({ notice: 'One file at a time: a language model.' });
        return;
      }
      this.#store.update({ memory: memoryFor(this.#store.state.memory, file.size) });
      await this.#open(`Opening ${file.name}`, fileSource(file, kEnding));
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be taken', error } });
    }
  }

  /** The model in use is opened again, if it is to be held otherwise. */
  async holdIn(memory: MemoryChoice): Promise<void> {
    this.#store.update({ memory });
    const { loaded } = this.#store.state;
    if (loaded !== null) {
      await this.#open(`Opening ${loaded.name} again`, loaded);
    }
  }

  sample(chosen: Partial<Sampling>): void {
    this.#store.update({ sampling: { ...this.#store.state.sampling, ...chosen } });
  }

  /** Another mode begins with an empty page. */
  choose(mode: Mode): void {
    this.#store.state.stop?.();
    this.#store.update({ mode, ...blank });
  }

  clear(): void {
    this.#store.state.stop?.();
    this.#store.update({ ...blank, failure: null, notice: '' });
  }

  /** Writes on from a beginning, or answers in the conversation. */
  async submit(text: string): Promise<void> {
    const { mode, sampling, parts } = this.#store.state;
    if (sampling.newSeed) {
      this.sample({ seed: someSeed() });
    }
    const asked = personPart(text);
    if (mode === 'text') {
      await this.#write(text, [asked]);
    } else {
      const said = [...parts, asked];
      await this.#write({ messages: messagesOf(said) }, said);
    }
  }

  /** From the last token, as if nobody had stopped. */
  async goOn(): Promise<void> {
    const { outcome, parts } = this.#store.state;
    if (outcome !== null && outcome.ids.length > 0) {
      await this.#write(outcome.ids, parts);
    }
  }

  /** Counts the tokens of the text so far with what is being typed. */
  async measure(draft: string): Promise<void> {
    this.#measuring.abort();
    this.#measuring = new AbortController();
    const { signal } = this.#measuring;
    const { loaded, mode, parts, stop } = this.#store.state;
    if (loaded === null || stop !== null) {
      return;
    }
    const said = mode === 'text' ? [personPart(draft)] : [...parts, personPart(draft)];
    try {
      const { model } = loaded;
      const text = mode === 'text' ? draft : await model.applyChatTemplate(messagesOf(said));
      const { ids } = await model.tokenize(text, { special: mode === 'text' });
      if (!signal.aborted) {
        this.#store.update({ used: ids.length });
      }
    } catch {
      // What is wrong with it is told when it is sent.
    }
  }

  /** Opens another model, and only then lets go of the old one. */
  #open(title: string, from: FileSource): Promise<void> {
    const plan = {
      title,
      failureTitle: 'The model was not opened',
      cancelNotice: 'Cancelled; everything is as it was.',
      unit: 'bytes' as const,
      interrupts: true,
    };
    return this.#jobs.run(plan, async (context) => {
      const { memory } = this.#store.state;
      const loaded = await openGenerator(from, memory, this.#runtime, context);
      const old = this.#store.state.loaded;
      this.#store.state.stop?.();
      const mode = loaded.generator.chatTemplate === null ? 'text' : this.#store.state.mode;
      this.#store.update({ loaded, mode, ...blank });
      await old?.model.dispose();
    });
  }

  /** Parts are what stands there already; the answer follows them. A dead worker is started again once. */
  async #write(prompt: Prompt, parts: readonly Part[], again = true): Promise<void> {
    const { loaded, sampling } = this.#store.state;
    if (loaded === null) {
      return;
    }
    this.#store.state.stop?.();
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const mine = (): boolean => this.#store.state.stop === stop;
    this.#store.update({ parts, stop, outcome: null, looked: null, failure: null, notice: '' });
    try {
      const tell = (tokens: readonly GeneratedToken[]): void => {
        if (mine() && tokens.length > 0) {
          this.#store.update({ parts: [...parts, modelPart(tokens)] });
        }
      };
      const options = optionsOf(sampling);
      const outcome = await write(loaded.model, prompt, options, controller.signal, tell);
      if (mine()) {
        const used = outcome.ids.length || this.#store.state.used + outcome.tokens;
        this.#store.update({ outcome, used, stop: null });
      }
    } catch (error) {
      if (!mine()) {
        return;
      }
      this.#store.update({ stop: null });
      if (again && error instanceof AmbryError && error.code === 'Crashed') {
        await this.#open(`Starting ${loaded.name} again`, loaded);
        await this.#write(prompt, parts, false);
      } else {
        this.#store.update({ failure: { title: 'The model could not write', error } });
      }
    }
  }
}

const blank = { parts: [], stop: null, outcome: null, used: 0, looked: null } as const;
