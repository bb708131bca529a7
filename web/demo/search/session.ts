// Everything the page can do. A model and its index change together, and only once the new ones are
// ready: whatever fails or is cancelled leaves the page as it was.

import { createIndex, type JobOptions, loadIndex, type Model, type SearchIndex } from 'ambry';
import type { FileHaul, PathFile } from '../shared/dropped-files.ts';
import { formatAmount } from '../shared/format.ts';
import { type JobContext, type JobPlan, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { fetchNotes } from './built-in.ts';
import {
  builtInFacts,
  converter,
  fileFacts,
  type ModelFacts,
  type Opener,
  opener,
  urlFacts,
} from './open-model.ts';
import { countPassages, type DocumentSource, type LoadedModel, type SearchState } from './state.ts';

/** Names of files in a notice before it becomes a wall of text. */
const kMostNamed = 5;
const kKept = 'Cancelled; everything is as it was.';

/** Documents that are about to be shown, with what to say about them. */
interface Documents {
  readonly sources: readonly DocumentSource[];
  readonly builtInNotes: boolean;
  readonly notice?: string;
}

export class Session {
  readonly #store: Store<SearchState>;
  readonly #jobs: Jobs<SearchState>;
  readonly #runtime: Runtime;

  constructor(store: Store<SearchState>, runtime: Runtime) {
    this.#store = store;
    this.#jobs = new Jobs(store);
    this.#runtime = runtime;
  }

  /** Also the page's first act, then over the built-in notes. */
  openBuiltIn(): Promise<void> {
    return this.#openAs('Loading the built-in model', builtInFacts());
  }

  openFile(file: File): Promise<void> {
    return this.#openAs(`Opening ${file.name}`, fileFacts(file));
  }

  openUrl(url: string): Promise<void> {
    return this.#openAs(`Loading ${url}`, urlFacts(url));
  }

  openDirectory(name: string, files: ReadonlyMap<string, File>): Promise<void> {
    return this.#switchModel(`Converting ${name}`, converter(name, files, this.#runtime));
  }

  /** Starts the present model and its index anew after their workers died. */
  async reopen(): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded !== null) {
      await this.#openAs(`Starting ${loaded.name} again`, loaded);
    }
  }

  /** Takes whatever was dropped or picked and does what it is for. */
  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const { files, leftOut } = await haul;
      if (files.length === 0) {
        throw new Error('There is no file in what you chose.');
      }
      const { sortFiles } = await import('./sort-files.ts');
      const drop = await sortFiles(files);
      if (drop.kind === 'mixture') {
        throw new Error(drop.message);
      } else if (drop.kind === 'model') {
        await this.openFile(drop.file.file);
      } else if (drop.kind === 'index') {
        await this.importIndex(drop.file.file);
      } else if (drop.kind === 'directory') {
        await this.openDirectory(drop.name, drop.files);
      } else {
        const others = [...leftOut, ...drop.leftOut];
        await this.#addDocuments(drop.files, others);
      }
    } catch (error) {
      this.#store.update({ failure: { title: 'These files were not taken', error } });
    }
  }

  addText(text: string): Promise<void> {
    const file = new File([text], 'Pasted text');
    return this.#addDocuments([{ path: file.name, file }], []);
  }

  removeSource(gone: DocumentSource): Promise<void> {
    return this.#jobs.run(documentPlan(`Removing ${gone.name}`), (context) => {
      const rest = this.#store.state.sources.filter((source) => source !== gone);
      return this.#replaceDocuments({ sources: rest, builtInNotes: false }, context);
    });
  }

  useBuiltInNotes(): Promise<void> {
    return this.#jobs.run(documentPlan('Fetching the built-in notes'), async (context) =>
      this.#replaceDocuments(
        { sources: [await fetchNotes(context.signal)], builtInNotes: true },
        context,
      ),
    );
  }

  /** Hands the index as a file to `save`. */
  exportIndex(save: (content: Blob, name: string) => void): Promise<void> {
    const plan = indexPlan('Writing the index', 'The index was not exported');
    return this.#jobs.run(plan, async () => {
      const { index, loaded } = this.#store.state;
      if (index !== null && loaded !== null) {
        save(await index.save({ model: loaded.name }), `${loaded.name}.ambryindex`);
      }
    });
  }

  importIndex(file: File): Promise<void> {
    const plan = indexPlan(`Reading ${file.name}`, 'The index was not imported');
    return this.#jobs.run(plan, async ({ signal }) => {
      const { loaded } = this.#store.state;
      if (loaded === null) {
        throw new Error('Open the model that made this index first.');
      }
      const index = await loadIndex(loaded.model, file, { signal });
      const name = file.name.replace(/\.ambryindex$/i, '');
      const sources = [{ name, passages: index.docs }];
      const notice = `Imported ${formatAmount(index.size, 'passage')} without indexing anew.`;
      await this.#show({ loaded, sources, builtInNotes: false, index, notice });
    });
  }

  #openAs(title: string, facts: ModelFacts): Promise<void> {
    return this.#switchModel(title, opener(facts, this.#runtime));
  }

  /** Opens a model, indexes the present documents with it, and only then lets go of the old one. */
  #switchModel(title: string, open: Opener): Promise<void> {
    const failureTitle = 'The model was not opened';
    const plan: JobPlan = {
      title,
      failureTitle,
      cancelNotice: kKept,
      unit: 'bytes',
      interrupts: true,
    };
    return this.#jobs.run(plan, async (context) => {
      const loaded = await open(context);
      const { loaded: old, sources, builtInNotes } = this.#store.state;
      try {
        const first = sources.length === 0 && builtInNotes;
        const kept = first ? [await fetchNotes(context.signal)] : sources;
        const index = await this.#index(loaded.model, kept, context);
        await this.#show({ loaded, sources: kept, builtInNotes, index });
      } catch (error) {
        await loaded.model.dispose();
        throw error;
      }
      await old?.model.dispose();
    });
  }

  /** Documents of one's own take the place of the built-in notes; later ones are added to them. */
  #addDocuments(files: readonly PathFile[], leftOut: readonly string[]): Promise<void> {
    return this.#jobs.run(documentPlan('Reading documents'), async (context) => {
      const { readDocuments } = await import('./documents.ts');
      const { sources: added, empty } = await readDocuments(files, context.signal);
      const { builtInNotes, sources, index } = this.#store.state;
      const all = [...(builtInNotes ? [] : sources), ...added];
      const notice = addedNotice(added, [...leftOut, ...empty]);
      if (builtInNotes || index === null) {
        await this.#replaceDocuments({ sources: all, builtInNotes: false, notice }, context);
      } else {
        const passages = added.flatMap((source) => source.passages);
        await index.add(passages, indexing(added, context));
        this.#store.update({ sources: all, notice });
      }
    });
  }

  async #replaceDocuments(next: Documents, context: JobContext): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded === null) {
      // Without a model the documents wait; opening one indexes them.
      this.#store.update(next);
      return;
    }
    const index = await this.#index(loaded.model, next.sources, context);
    await this.#show({ ...next, loaded, index });
  }

  #index(
    model: Model,
    sources: readonly DocumentSource[],
    context: JobContext,
  ): Promise<SearchIndex> {
    const passages = sources.flatMap((source) => source.passages);
    return createIndex(model, passages, indexing(sources, context));
  }

  async #show(next: Documents & { loaded: LoadedModel; index: SearchIndex }): Promise<void> {
    const old = this.#store.state.index;
    this.#store.update(next);
    await old?.dispose();
  }
}

/** Turns the job's bar to indexing, and gives what the index reports through. */
function indexing(sources: readonly DocumentSource[], context: JobContext): JobOptions {
  const total = countPassages(sources);
  context.stage('Indexing', 'passages');
  context.report(0, total);
  return { signal: context.signal, onProgress: ({ loaded }) => context.report(loaded, total) };
}

function documentPlan(title: string): JobPlan {
  const failureTitle = 'The documents were not indexed';
  return { title, failureTitle, cancelNotice: kKept, unit: 'passages' };
}

function indexPlan(title: string, failureTitle: string): JobPlan {
  return { title, failureTitle, cancelNotice: kKept, unit: 'bytes' };
}

function addedNotice(added: readonly DocumentSource[], leftOut: readonly string[]): string {
  const passages = formatAmount(countPassages(added), 'passage');
  const notice = `Added ${passages} from ${formatAmount(added.length, 'document')}.`;
  if (leftOut.length === 0) {
    return notice;
  }
  const named = leftOut.slice(0, kMostNamed).join(', ');
  const rest = leftOut.length > kMostNamed ? ` and ${leftOut.length - kMostNamed} more` : '';
  return `${notice} Left out, being hidden, empty or no documents: ${named}${rest}.`;
}
