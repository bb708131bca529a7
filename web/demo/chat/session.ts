// The actions of the chat page. An action that fails leaves the page as it was, and the written text stays.

import { AmbryError, type ChatMessage, type GeneratedToken, open, type Prompt } from 'ambry';
import { targetExtensions } from 'ambry/tables';
import { builtInSource, type FileSource, urlSource } from '../shared/file-source.ts';
import type { GivenFiles } from '../shared/given-files.ts';
import { type JobContext, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { builtInFile, firstPrompt } from './built-in.ts';
import { modelTurn, runModel } from './generate.ts';
import { givenModel } from './given-model.ts';
import {
  type MemoryChoice,
  memoryFor,
  openOptionsOf,
  optionsOf,
  randomSeed,
  type Sampling,
} from './settings.ts';
import type { ChatState, LoadedModel, Mode, Turn } from './state.ts';

const extensions = [targetExtensions.amb, targetExtensions.alt, targetExtensions.gguf];

const userTurn = (text: string): Turn => ({ from: 'user', text, tokens: [] });

const messagesOf = (turns: readonly Turn[]): ChatMessage[] =>
  turns.map(({ from, text }) => ({
    role: from === 'user' ? 'user' : 'assistant',
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
  return { ...from, model, generator: model.info.generator };
}

export class ChatSession {
  readonly #store: Store<ChatState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ChatState>;
  #counting = new AbortController();

  constructor(store: Store<ChatState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** Opens the built-in model and writes a first story. Its seed is fixed, so the story is always the same. */
  async start(): Promise<void> {
    await this.openBuiltIn();
    if (this.#store.state.loaded !== null) {
      await this.#write(firstPrompt, [userTurn(firstPrompt)]);
    }
  }

  openBuiltIn(): Promise<void> {
    return this.#open('Loading the built-in model', builtInSource(builtInFile, extensions));
  }

  async openUrl(url: string): Promise<void> {
    await this.#open(`Loading ${url}`, urlSource(url, extensions));
  }

  /** Opens the given file. A large one is kept in memory only in part. */
  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const { files } = await given;
      const model = givenModel(files, extensions);
      if (model === undefined) {
        this.#store.update({
          notice: 'Choose one language model: a file, its parts or its folder.',
        });
        return;
      }
      this.#store.update({ memory: memoryFor(this.#store.state.memory, model.bytes) });
      await this.#open(`Opening ${model.from.name}`, model.from);
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be opened', error } });
    }
  }

  /** Opens the model again with other memory settings. */
  async setMemory(memory: MemoryChoice): Promise<void> {
    this.#store.update({ memory });
    const { loaded } = this.#store.state;
    if (loaded !== null) {
      await this.#open(`Opening ${loaded.name} again`, loaded);
    }
  }

  setSampling(changes: Partial<Sampling>): void {
    this.#store.update({ sampling: { ...this.#store.state.sampling, ...changes } });
  }

  /** Changes the mode and clears the text. */
  setMode(mode: Mode): void {
    this.#store.state.stop?.();
    this.#store.update({ mode, ...blank });
  }

  clear(): void {
    this.#store.state.stop?.();
    this.#store.update({ ...blank, failure: null, notice: '' });
  }

  /** Continues a text, or answers a chat message. */
  async submit(text: string): Promise<void> {
    const { mode, sampling, turns } = this.#store.state;
    if (sampling.newSeed) {
      this.setSampling({ seed: randomSeed() });
    }
    const asked = userTurn(text);
    if (mode === 'text') {
      await this.#write(text, [asked]);
    } else {
      const conversation = [...turns, asked];
      await this.#write({ messages: messagesOf(conversation) }, conversation);
    }
  }

  /** Continues after the last token. */
  async continueText(): Promise<void> {
    const { outcome, turns } = this.#store.state;
    if (outcome !== null && outcome.ids.length > 0) {
      await this.#write(outcome.ids, turns);
    }
  }

  /** Counts the tokens of the conversation together with the text that is being typed. */
  async countTokens(draft: string): Promise<void> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    const { loaded, mode, turns, stop } = this.#store.state;
    if (loaded === null || stop !== null) {
      return;
    }
    const conversation = [...turns, userTurn(draft)];
    try {
      const { model } = loaded;
      const text =
        mode === 'text'
          ? draft
          : await model.applyChatTemplate(messagesOf(conversation), { signal });
      const { ids } = await model.tokenize(text, { special: mode === 'text' });
      if (!signal.aborted) {
        this.#store.update({ used: ids.length });
      }
    } catch {
      // Sending the text shows the same error.
    }
  }

  /** Opens another model, then closes the old one. */
  #open(title: string, from: FileSource): Promise<void> {
    const plan = {
      title,
      failureTitle: 'The model was not opened',
      cancelNotice: 'Cancelled. Nothing has changed.',
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

  /** Runs the model and shows its text after `turns`. If the worker died, it opens the model again and tries once
   *  more. */
  async #write(prompt: Prompt, turns: readonly Turn[], mayRetry = true): Promise<void> {
    const { loaded, sampling } = this.#store.state;
    if (loaded === null) {
      return;
    }
    this.#store.state.stop?.();
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const isCurrent = (): boolean => this.#store.state.stop === stop;
    this.#store.update({ turns, stop, outcome: null, selected: null, failure: null, notice: '' });
    try {
      const showTokens = (tokens: readonly GeneratedToken[]): void => {
        if (isCurrent() && tokens.length > 0) {
          this.#store.update({ turns: [...turns, modelTurn(tokens)] });
        }
      };
      const options = optionsOf(sampling);
      const outcome = await runModel(loaded.model, prompt, options, controller.signal, showTokens);
      if (isCurrent()) {
        const used = outcome.ids.length || this.#store.state.used + outcome.tokens;
        this.#store.update({ outcome, used, stop: null });
      }
    } catch (error) {
      if (!isCurrent()) {
        return;
      }
      this.#store.update({ stop: null });
      if (mayRetry && error instanceof AmbryError && error.code === 'Crashed') {
        await this.#open(`Starting ${loaded.name} again`, loaded);
        await this.#write(prompt, turns, false);
      } else {
        this.#store.update({ failure: { title: 'The model could not write the text', error } });
      }
    }
  }
}

const blank = { turns: [], stop: null, outcome: null, used: 0, selected: null } as const;
