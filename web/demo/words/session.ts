// Everything the words page can do. Whatever fails or is cancelled leaves the page as it was.

import { AmbryError, type Words } from 'ambry';
import { builtInSource, fileSource, urlSource } from '../shared/file-source.ts';
import type { FileHaul } from '../shared/given-files.ts';
import { Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { builtInFile, fetchQuestions, firstQuestion, firstWord } from './built-in.ts';
import { kindOf } from './file-kind.ts';
import { type Placed, pictureOf, sumPicture } from './map/map-data.ts';
import { converter, type Opener, opener } from './open-words.ts';
import type { Analogy, Lookup, Question, Settings, WordsState } from './state.ts';

const kEnding = /\.fifu$/i;
const kKept = 'Cancelled; everything is as it was.';

export class WordsSession {
  readonly #store: Store<WordsState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<WordsState>;
  #lookingUp = new AbortController();
  #solving = new AbortController();
  /** Asked anew of other vectors and under other settings. */
  #word = firstWord;
  #question = firstQuestion;

  constructor(store: Store<WordsState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** Also the page's first act. */
  openBuiltIn(): Promise<void> {
    const vectors = opener(builtInSource(builtInFile, kEnding), this.#runtime);
    return this.#openAs('Loading the built-in vectors', vectors);
  }

  openUrl(url: string): Promise<void> {
    return this.#openAs(`Loading ${url}`, opener(urlSource(url, kEnding), this.#runtime));
  }

  /** Takes whatever was dropped or picked and does what it is for. */
  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const { files } = await haul;
      const file = files[0]?.file;
      if (file === undefined || files.length > 1) {
        this.#store.update({ notice: 'One file at a time: word vectors, or questions.' });
        return;
      }
      const kind = await kindOf(file);
      if (kind === 'questions') {
        await this.measure(file.name, () => file.text());
      } else if (kind === 'finalfusion') {
        const vectors = opener(fileSource(file, kEnding), this.#runtime);
        await this.#openAs(`Opening ${file.name}`, vectors);
      } else {
        await this.#openAs(`Converting ${file.name}`, converter(file, this.#runtime));
      }
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be taken', error } });
    }
  }

  async choose(chosen: Partial<Settings>): Promise<void> {
    this.#store.update({ settings: { ...this.#store.state.settings, ...chosen } });
    await this.#askAgain();
  }

  /** The newest word wins. */
  async lookUp(word: string): Promise<void> {
    this.#word = word;
    this.#lookingUp.abort();
    this.#lookingUp = new AbortController();
    const { signal } = this.#lookingUp;
    await this.#ask('The word could not be looked up', signal, async (words) => {
      const lookup = await this.#look(words, word, signal);
      return { lookup };
    });
  }

  async solve(question: Question): Promise<void> {
    this.#question = question;
    this.#solving.abort();
    this.#solving = new AbortController();
    const { signal } = this.#solving;
    await this.#ask('The analogy could not be worked out', signal, async (words) => {
      const analogy = await this.#work(words, question, signal);
      return { analogy };
    });
  }

  /** Answers all questions of a file, section by section. */
  measure(name: string, read: () => Promise<string>): Promise<void> {
    const plan = {
      title: `Answering: ${name}`,
      failureTitle: 'The questions could not be answered',
      cancelNotice: kKept,
      unit: 'questions' as const,
    };
    return this.#jobs.run(plan, async ({ signal, report: show }) => {
      const { loaded } = this.#store.state;
      if (loaded === null) {
        throw new Error('Open word vectors first.');
      }
      const report = await loaded.words.accuracy(await read(), {
        signal,
        onProgress: ({ loaded: done, total }) => show(done, total),
      });
      this.#store.update({ accuracy: { name, report } });
    });
  }

  measureBuiltIn(): Promise<void> {
    return this.measure('Built-in questions', fetchQuestions);
  }

  /** Asks other vectors what was asked before. */
  async #openAs(title: string, open: Opener): Promise<void> {
    const before = this.#store.state.loaded;
    await this.#open(title, open);
    if (this.#store.state.loaded !== before) {
      await this.#askAgain();
    }
  }

  /** Opens other vectors, and only then lets go of the old ones. */
  #open(title: string, open: Opener): Promise<void> {
    const plan = {
      title,
      failureTitle: 'The word vectors were not opened',
      cancelNotice: kKept,
      unit: 'bytes' as const,
      interrupts: true,
    };
    return this.#jobs.run(plan, async (context) => {
      const loaded = await open(context);
      const old = this.#store.state.loaded;
      this.#store.update({ loaded, lookup: null, analogy: null, accuracy: null });
      await old?.model.dispose();
    });
  }

  async #askAgain(): Promise<void> {
    await this.lookUp(this.#word);
    // Of a file that lists no words nobody asked yet what is nearest to a sum.
    if ((this.#store.state.loaded?.words.size ?? 0) > 0) {
      await this.solve(this.#question);
    }
  }

  async #look(words: Words, word: string, signal: AbortSignal): Promise<Lookup> {
    const explanation = await words.explain(word);
    // Floret's files list no words: there is a vector, but nobody to be near to.
    if (explanation.found === 'none' || words.size === 0) {
      return { explanation, hits: [], picture: null };
    }
    const hits = await words.similar(word, { ...this.#store.state.settings, signal });
    const picture = pictureOf(await placed(words, [word], hits, signal));
    return { explanation, hits, picture };
  }

  async #work(words: Words, question: Question, signal: AbortSignal): Promise<Analogy> {
    const { a, b, c, include } = question;
    const asked = [a, b, c];
    const { found } = await words.vectors(asked, { signal });
    const missing = asked.filter((_, i) => found[i] === 'none');
    if (missing.length > 0) {
      return { question, missing, hits: [], picture: null };
    }
    const hits = await words.analogy(a, b, c, {
      ...this.#store.state.settings,
      signal,
      ...(include && { include: ['a', 'b', 'c'] }),
    });
    const others = hits.filter(({ word }) => !asked.includes(word));
    const picture = sumPicture(await placed(words, asked, others, signal));
    return { question, missing, hits, picture };
  }

  /** Shows what `work` finds, unless something else was asked meanwhile. A dead worker is started again once. */
  async #ask(
    title: string,
    signal: AbortSignal,
    work: (words: Words) => Promise<Partial<WordsState>>,
    again = true,
  ): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded === null) {
      return;
    }
    const stale = (): boolean => signal.aborted || this.#store.state.loaded !== loaded;
    try {
      const found = await work(loaded.words);
      if (!stale()) {
        this.#store.update({ ...found, failure: null, notice: '' });
      }
    } catch (error) {
      if (stale()) {
        return;
      }
      if (again && error instanceof AmbryError && error.code === 'Crashed') {
        await this.#open(`Starting ${loaded.name} again`, opener(loaded, this.#runtime));
        await this.#ask(title, signal, work, false);
      } else {
        this.#store.update({ failure: { title, error } });
      }
    }
  }
}

/** The vectors of the words asked for, then of those found, for a map. */
async function placed(
  words: Words,
  asked: readonly string[],
  found: readonly { readonly word: string }[],
  signal: AbortSignal,
): Promise<Placed[]> {
  const texts = [...asked, ...found.map(({ word }) => word)];
  const { vectors } = await words.vectors(texts, { signal });
  return texts.map((text, i) => ({
    text,
    role: i < asked.length ? 'asked' : 'found',
    vector: vectors.subarray(i * words.dim, (i + 1) * words.dim),
  }));
}
