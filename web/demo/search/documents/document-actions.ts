// Documents: which ones there are. Each act changes the list; the indexing of what is new follows by itself.

import type { FileHaul } from '../../shared/given-files.ts';
import type { JobPlan } from '../../shared/jobs.ts';
import type { Workbench } from '../action-runner.ts';
import { fetchNotes } from '../built-in.ts';
import { addedNotice } from './added-notice.ts';
import { asWaiting } from './passage-queue.ts';
import { readDocuments } from './read-documents.ts';

function plan(title: string): JobPlan {
  return {
    title,
    failureTitle: 'The documents were not indexed',
    cancelNotice: 'Cancelled; everything is as it was.',
    unit: 'passages',
    lasting: true,
  };
}

const readingPlan: JobPlan = { ...plan('Reading documents'), unit: 'documents' };

export class DocumentActions {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  /** Documents of one's own take the place of the built-in notes; later ones are added to them. */
  add({ files, leftOut }: FileHaul): Promise<void> {
    return this.#bench.run(readingPlan, async (context) => {
      const { builtInNotes, loaded, sources } = this.#bench.store.state;
      const before = builtInNotes ? [] : sources;
      const read = await readDocuments(files, before, loaded?.model ?? null, context);
      await this.#bench.setSources([...before, ...read.sources], { anew: builtInNotes });
      this.#bench.say(addedNotice(read, leftOut));
    });
  }

  addText(text: string): Promise<void> {
    const file = new File([text], 'Pasted text');
    return this.add({ files: [{ path: file.name, file }], leftOut: [] });
  }

  remove(id: string): Promise<void> {
    return this.#bench.run(plan('Removing a document'), async () => {
      const { sources, index } = this.#bench.store.state;
      const gone = new Set(sources.find((source) => source.id === id)?.passages);
      await index?.remove((doc) => gone.has(doc));
      await this.#bench.setSources(sources.filter((source) => source.id !== id));
    });
  }

  useBuiltInNotes(): Promise<void> {
    return this.#bench.run(plan('Fetching the built-in notes'), async ({ signal }) => {
      const notes = await fetchNotes(signal);
      await this.#bench.setSources([asWaiting(notes)], { anew: true, builtInNotes: true });
    });
  }
}
