// The actions of the words page. An action that fails or is cancelled leaves the page as it was.

import { AmbryError, type WordVectors } from 'ambry';
import type { targetExtensions } from 'ambry/tables';
import type { Store } from '../../shared/base/store.ts';
import { explainAddress, explainGiven } from '../../shared/explain/explain-failure.ts';
import { builtInSource, fileSource, urlSource } from '../../shared/files/file-source.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import { endFailure, type JobPlan, Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import { openLinked, urlInLink } from '../../shared/page-address/open-linked.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { analogyMap, type MapEntry, mapOf } from '../map/map-data.ts';
import { builtInFile, fetchQuestions, firstWordsFile } from './built-in.ts';
import { type Opener, opener } from './open-words.ts';
import { type Question, questionWords } from './question.ts';
import { hasQuestions } from './question-file.ts';
import { explainSpelled } from './spelled.ts';
import type { Analogy, LoadedWords, Lookup, Settings, WordsState } from './state.ts';
import { questionOf, settingsOf, type WordsLink } from './words-link.ts';

const extensions = ['.fifu' satisfies (typeof targetExtensions)['finalfusion']];

const askedBy = (link: WordsLink) => ({
  word: link.word,
  question: questionOf(link),
  settings: settingsOf(link),
});

export class WordsSession {
  readonly #store: Store<WordsState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<WordsState>;
  #lookingUp = new AbortController();
  #solving = new AbortController();
  /** How often something was opened. */
  #openings = 0;

  constructor(store: Store<WordsState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** Opens the vectors of a link, with its word and question. */
  start(link: WordsLink): Promise<void> {
    this.#store.update(askedBy(link));
    return this.#openLinked(link.url);
  }

  /** Shows what a link names after Back and Forward. */
  async follow(link: WordsLink): Promise<void> {
    this.#store.update(askedBy(link));
    if (link.url === urlInLink(this.#store.state.loaded?.source)) {
      await this.#repeatQueries();
    } else {
      await this.#openLinked(link.url);
    }
  }

  /** The first vectors of a page are those of the most frequent words, which are here soon, and then all. */
  async openBuiltIn(): Promise<void> {
    const all = builtInSource(builtInFile, extensions);
    if (this.#store.state.loaded === null) {
      const { source } = builtInSource(firstWordsFile, extensions);
      const first = opener({ ...all, source, isPart: true }, this.#runtime);
      const opened = this.#openAs('Loading the most frequent words', first);
      const openings = this.#openings;
      await opened;
      const { loaded, failure }: WordsState = this.#store.state;
      const isCancelled = loaded === null && failure === null;
      // What the user opens meanwhile may not be there yet.
      if (isCancelled || this.#openings > openings) {
        return;
      }
    }
    await this.#openAs('Loading the built-in vectors', opener(all, this.#runtime));
  }

  openUrl(url: string): Promise<void> {
    const vectors = opener(urlSource(url, extensions), this.#runtime);
    return this.#openAs(`Loading ${url}`, vectors, explainAddress(url, 'words'));
  }

  /** Opens word vectors, or answers the questions of a file. */
  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const all = await given;
      const { files } = all;
      const file = files[0]?.file;
      if (file === undefined || files.length > 1) {
        this.#store.update({ notice: 'Choose one file: word vectors or questions.' });
        return;
      }
      if (await hasQuestions(file)) {
        await this.measure(file.name, () => file.text());
      } else {
        const vectors = opener(fileSource(file, extensions), this.#runtime);
        await this.#openAs(`Opening ${file.name}`, vectors, explainGiven(all, 'words'));
      }
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be opened', error } });
    }
  }

  #openLinked(url: string): Promise<void> {
    return openLinked(url, {
      open: (address) => this.openUrl(address),
      openBuiltIn: () => this.openBuiltIn(),
      fail: (failure) => this.#store.update({ failure }),
    });
  }

  async changeSettings(changes: Partial<Settings>): Promise<void> {
    this.#store.update({ settings: { ...this.#store.state.settings, ...changes } });
    await this.#repeatQueries();
  }

  /** Looks a word up. A newer word aborts the lookup of an older one. */
  lookUp(word: string): Promise<void> {
    this.#store.update({ word, failure: null, notice: '' });
    return this.#lookUp(word);
  }

  async #lookUp(word: string): Promise<void> {
    this.#lookingUp.abort();
    this.#lookingUp = new AbortController();
    const { signal } = this.#lookingUp;
    await this.#ask('The word could not be looked up', signal, async (loaded) => {
      const lookup = await this.#lookUpIn(loaded, word, signal);
      return { lookup };
    });
  }

  /** Solves an analogy. A newer one aborts the work for an older one. */
  solve(question: Question): Promise<void> {
    this.#store.update({ question, failure: null, notice: '' });
    return this.#solve(question);
  }

  async #solve(question: Question): Promise<void> {
    this.#solving.abort();
    this.#solving = new AbortController();
    const { signal } = this.#solving;
    await this.#ask(
      'The analogy could not be solved',
      signal,
      async ({ model, unread, isPart }) => {
        const analogy = unread > 0 ? null : await this.#solveWith(model, question, signal);
        // A word that is missing so far may come.
        return { analogy: isPart && analogy?.map === null ? null : analogy };
      },
    );
  }

  /** Reads the vectors that nearest words and analogies need, of a large file that was opened in parts. */
  async readAll(): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded === null) {
      return;
    }
    const plan = {
      title: `Reading the vectors of ${loaded.name}`,
      failureTitle: 'The vectors could not be read',
      unit: 'bytes' as const,
    };
    const [word = ''] = loaded.vocabulary;
    await this.#jobs.run(plan, async ({ signal, report }) => {
      await loaded.model.similar(word, {
        k: 1,
        signal,
        onProgress: ({ loaded: done, total }) => report(done, total),
      });
      if (this.#store.state.loaded === loaded) {
        this.#store.update({ loaded: { ...loaded, unread: 0 } });
      }
    });
    if (this.#store.state.loaded?.model === loaded.model && !this.#store.state.loaded.unread) {
      await this.#repeatQueries();
    }
  }

  /** Measures the accuracy on the questions of a file. */
  measure(name: string, read: () => Promise<string>): Promise<void> {
    const plan = {
      title: `Answering ${name}`,
      failureTitle: 'The questions could not be answered',
      unit: 'questions' as const,
    };
    return this.#jobs.run(plan, async ({ signal, report: show }) => {
      const { loaded } = this.#store.state;
      if (loaded === null) {
        throw new Error('Open word vectors first.');
      }
      const report = await loaded.model.accuracy(await read(), {
        signal,
        onProgress: ({ loaded: done, total }) => show(done, total),
      });
      this.#store.update({ accuracy: { name, report } });
    });
  }

  measureBuiltIn(): Promise<void> {
    return this.measure('Built-in questions', fetchQuestions);
  }

  /** Opens other vectors and asks them the last word and question again. */
  async #openAs(title: string, open: Opener, explain?: JobPlan['explain']): Promise<void> {
    this.#openings++;
    const before = this.#store.state.loaded;
    await this.#open(title, open, explain);
    if (this.#store.state.loaded !== before) {
      await this.#repeatQueries();
    }
  }

  /** Opens other vectors, then closes the old ones. */
  #open(title: string, open: Opener, explain?: JobPlan['explain']): Promise<void> {
    const plan = openingPlan(title, 'The word vectors were not opened', explain);
    return this.#jobs.run(plan, async (context) => {
      const loaded = await open(context);
      const old = this.#store.state.loaded;
      this.#store.update({ loaded, lookup: null, analogy: null, accuracy: null });
      await old?.model.dispose();
    });
  }

  /** A file that could not be opened meanwhile keeps its failure. */
  async #repeatQueries(): Promise<void> {
    await this.#lookUp(this.#store.state.word);
    // A file without a vocabulary has no nearest words.
    if ((this.#store.state.loaded?.model.size ?? 0) > 0) {
      await this.#solve(this.#store.state.question);
    }
  }

  async #lookUpIn(
    { model, unread }: LoadedWords,
    word: string,
    signal: AbortSignal,
  ): Promise<Lookup> {
    const explanation = await explainSpelled(model, word);
    const typed = word;
    // Floret files have no vocabulary, so a word has a vector but no nearest words.
    if (explanation.found === 'none' || model.size === 0 || unread > 0) {
      return { typed, explanation, hits: [], map: null };
    }
    const { word: own } = explanation;
    const hits = await model.similar(own, { ...this.#store.state.settings, signal });
    const map = mapOf(await mapEntries(model, [own], hits, signal));
    return { typed, explanation, hits, map };
  }

  async #solveWith(model: WordVectors, question: Question, signal: AbortSignal): Promise<Analogy> {
    const { a, b, c, include } = question;
    const spelled = [a, b, c].map(async (word) => (await explainSpelled(model, word)).word);
    const asked = (await Promise.all(spelled)) as [string, string, string];
    const { found } = await model.vectors(asked, { signal });
    const missing = asked.filter((_, i) => found[i] === 'none');
    if (missing.length > 0) {
      return { question, missing, hits: [], map: null };
    }
    const hits = await model.analogy(...asked, {
      ...this.#store.state.settings,
      signal,
      ...(include && { include: questionWords }),
    });
    const others = hits.filter(({ word }) => !asked.includes(word));
    const map = analogyMap(await mapEntries(model, asked, others, signal));
    return { question, missing, hits, map };
  }

  /** Shows the result of `work`, unless a newer request came meanwhile. If the worker died, it opens the vectors again
   *  and tries once more. */
  async #ask(
    title: string,
    signal: AbortSignal,
    work: (loaded: LoadedWords) => Promise<Partial<WordsState>>,
    mayRetry = true,
  ): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded === null) {
      return;
    }
    const isOutdated = (): boolean => signal.aborted || this.#store.state.loaded !== loaded;
    try {
      const found = await work(loaded);
      if (!isOutdated()) {
        this.#store.update(found);
        endFailure(this.#store, title);
      }
    } catch (error) {
      if (isOutdated()) {
        return;
      }
      if (mayRetry && error instanceof AmbryError && error.code === 'Crashed') {
        await this.#open(`Starting ${loaded.name} again`, opener(loaded, this.#runtime));
        await this.#ask(title, signal, work, false);
      } else {
        this.#store.update({ failure: { title, error } });
      }
    }
  }
}

/** The asked words and then the found words, with their vectors, for a map. */
async function mapEntries(
  model: WordVectors,
  asked: readonly string[],
  found: readonly { readonly word: string }[],
  signal: AbortSignal,
): Promise<MapEntry[]> {
  const texts = [...asked, ...found.map(({ word }) => word)];
  const { vectors } = await model.vectors(texts, { signal });
  return texts.map((text, i) => ({
    text,
    role: i < asked.length ? 'asked' : 'found',
    vector: vectors.subarray(i * model.dim, (i + 1) * model.dim),
  }));
}
