// The actions of the landing page: say what the given files are, and open a page with them.

import { AmbryError } from 'ambry';
import { formatAmount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { cutOffOf } from '../shared/failures/cut-off.ts';
import { messageOf } from '../shared/failures/message.ts';
import { plainOfModel } from '../shared/failures/plain.ts';
import { fileNameOf } from '../shared/files/file-names.ts';
import type { GivenFiles } from '../shared/files/given-files.ts';
import { type CheckSource, fileSizeOf } from '../shared/files/given-sources.ts';
import { handOver } from '../shared/handover/handover.ts';
import { type JobContext, Jobs } from '../shared/jobs/jobs.ts';
import { checkOffer, type FilePage, pathOf } from '../shared/recognize/file-pages.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import { examine } from './examine.ts';
import { type Identified, sortGiven } from './identify.ts';
import type { Found, HomeState } from './state.ts';

export class HomeSession {
  readonly #store: Store<HomeState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<HomeState>;
  #nextId = 1;

  constructor(store: Store<HomeState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** Says what the files are. The newest ones replace those before. */
  receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    return this.#run('Reading the files', async (context) => {
      const { models, others, left } = await sortGiven(await given);
      this.#show(others);
      for (const { name, source, given: own } of models) {
        context.stage(`Reading ${name}`, 'bytes');
        this.#show([await this.#examined(name, source, own, context)]);
      }
      const total = models.length + others.length;
      const more = left > 0 ? ` ${formatAmount(left, 'more file')} are not shown.` : '';
      this.#store.update({ notice: total === 0 ? 'No files were found.' : more.trim() });
    });
  }

  /** Says what the model at an address is. Only its headers are read, where the server sends parts. */
  openUrl(url: string): Promise<void> {
    return this.#run(`Reading ${url}`, async (context) => {
      this.#show([await this.#examined(fileNameOf(url), url, url, context)]);
    });
  }

  /** Goes to a page with what was found. */
  async open({ given }: Found, page: FilePage): Promise<void> {
    if (typeof given === 'string') {
      location.assign(`${pathOf(page)}?${new URLSearchParams({ url: given })}`);
      return;
    }
    try {
      await handOver(given, pathOf(page));
    } catch (error) {
      this.#store.update({ failure: { title: 'The page could not be opened', error } });
    }
  }

  #run(title: string, work: (context: JobContext) => Promise<void>): Promise<void> {
    const plan = {
      title,
      failureTitle: 'The files could not be read',
      cancelNotice: 'Stopped. The page shows what was found so far.',
      unit: 'bytes' as const,
      interrupts: true,
    };
    return this.#jobs.run(plan, (context) => {
      this.#store.update({ found: [] });
      return work(context);
    });
  }

  /** What cannot be read is shown among the others, with the reason. */
  async #examined(
    name: string,
    source: CheckSource,
    given: GivenFiles | string,
    context: JobContext,
  ): Promise<Identified> {
    try {
      return { name, given, ...(await examine(source, this.#runtime, context)) };
    } catch (error) {
      if (context.signal.aborted) {
        throw error;
      }
      return {
        name,
        given,
        what: '',
        details: '',
        verdict: isCutOff(error) ? 'cutOff' : 'unreadable',
        lines: reasonOf(error, fileSizeOf(source)),
        pages: [checkOffer],
      };
    }
  }

  #show(more: readonly Identified[]): void {
    const added = more.map((one) => ({ id: this.#nextId++, ...one }));
    this.#store.update({ found: [...this.#store.state.found, ...added] });
  }
}

const isCutOff = (error: unknown): boolean =>
  error instanceof AmbryError && cutOffOf([error.toJSON()]) !== null;

/** In plain words, where there are some for it. */
function reasonOf(error: unknown, bytes: number | undefined): string[] {
  const plain = plainOfModel(error, undefined, bytes);
  return plain === null ? [messageOf(error)] : [`${plain.sentence} ${plain.advice}`.trim()];
}
