// Adds and removes documents. The runner indexes new passages afterwards.

import type { GivenFiles } from '../../shared/files/given-files.ts';
import type { JobPlan } from '../../shared/jobs/jobs.ts';
import { addedNotice } from '../documents/added-notice.ts';
import { asWaiting } from '../documents/passage-queue.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { fetchNotes } from '../state/built-in.ts';
import type { ActionRunner } from './action-runner.ts';

function plan(title: string, failureTitle: string): JobPlan {
  return { title, failureTitle, unit: 'passages', uninterruptible: true };
}

const readingPlan: JobPlan = {
  ...plan('Reading documents', 'The documents were not added'),
  unit: 'documents',
};

export class DocumentActions {
  readonly #runner: ActionRunner;

  constructor(runner: ActionRunner) {
    this.#runner = runner;
  }

  /** The first documents replace the built-in notes. */
  add({ files, skipped }: GivenFiles): Promise<void> {
    return this.#runner.run(readingPlan, async (context) => {
      const { builtInNotes, loaded, sources } = this.#runner.store.state;
      const before = builtInNotes ? [] : sources;
      const hidden = skipped.filter((path) => /(?:^|\/)\./.test(path));
      const others = skipped.filter((path) => !hidden.includes(path));
      const read = await readDocuments(files, before, loaded?.model ?? null, others, context);
      await this.#runner.setSources([...before, ...read.sources], { replaceIndex: builtInNotes });
      this.#runner.notify(addedNotice(read, hidden, builtInNotes));
    });
  }

  addText(text: string): Promise<void> {
    const file = new File([text], 'Pasted text');
    return this.add({ files: [{ path: file.name, file }], skipped: [] });
  }

  remove(id: string): Promise<void> {
    return this.#runner.run(
      plan('Removing a document', 'The document was not removed'),
      async () => {
        const { sources, index } = this.#runner.store.state;
        const removed = new Set(sources.find((source) => source.id === id)?.passages);
        await index?.remove((doc) => removed.has(doc));
        await this.#runner.setSources(sources.filter((source) => source.id !== id));
      },
    );
  }

  /** Adds the built-in notes to the user's documents. */
  keepNotes(): Promise<void> {
    return this.#runner.run(
      plan('Loading the built-in notes', 'The built-in notes were not loaded'),
      async ({ signal }) => {
        const notes = await fetchNotes(signal);
        const { sources } = this.#runner.store.state;
        await this.#runner.setSources([...sources, asWaiting(notes)]);
      },
    );
  }

  useBuiltInNotes(): Promise<void> {
    return this.#runner.run(
      plan('Loading the built-in notes', 'The built-in notes were not loaded'),
      async ({ signal }) => {
        const notes = await fetchNotes(signal);
        await this.#runner.setSources([asWaiting(notes)], {
          replaceIndex: true,
          builtInNotes: true,
        });
      },
    );
  }
}
