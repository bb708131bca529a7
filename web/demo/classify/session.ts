// Everything the classify page can do. Whatever fails or is cancelled leaves the page as it was.

import { AmbryError, type Classification } from 'ambry';
import type { FileHaul } from '../shared/given-files.ts';
import { type JobContext, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { builtInFiles } from './built-in.ts';
import { withVariants } from './make-variants.ts';
import { classifyBy, closeAll, openNetwork } from './open-network.ts';
import { readPicture } from './pictures.ts';
import { linesOf, type SortedFiles, sortFiles } from './sort-files.ts';
import type { ClassifyState, Network, NetworkFiles, Picture } from './state.ts';
import { noTiming, withRun } from './timing.ts';

const kKept = 'Cancelled; everything is as it was.';
const kMostVariants = 3;
const kRuns = 50;

export class ClassifySession {
  readonly #store: Store<ClassifyState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ClassifyState>;
  #classifying = new AbortController();

  constructor(store: Store<ClassifyState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  /** Also the page's first act. */
  openBuiltIn(): Promise<void> {
    return this.#open('Loading the built-in network', builtInFiles);
  }

  /** Takes whatever was dropped or picked and does what it is for. */
  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const sorted = sortFiles((await haul).files);
      if (sorted.picture !== null) {
        await this.show(await readPicture(sorted.picture));
      }
      if (sorted.weights.length > kMostVariants) {
        this.#store.update({ notice: 'Up to three files of one network at a time.' });
      } else if (sorted.weights.length > 0 || sorted.plan !== null || sorted.labels !== null) {
        await this.#open('Opening the network', () => this.#filesOf(sorted));
      }
    } catch (error) {
      this.fail('The file could not be taken', error);
    }
  }

  /** Classifies a picture; the newest wins. */
  async show(picture: Picture): Promise<void> {
    const { signal } = this.#anew();
    this.#store.update({ picture });
    await this.#answer(picture, signal);
  }

  clear(): void {
    this.#anew();
    this.#store.update({ picture: null, answers: [], failure: null, notice: '' });
  }

  /** Makes the kinds of bytes that the network lacks, for a comparison. */
  compare(): Promise<void> {
    const { network, picture } = this.#store.state;
    if (network === null || picture === null) {
      return Promise.resolve();
    }
    return this.#open('Making DQ8', (context) =>
      withVariants(network.files, picture, this.#runtime, context),
    );
  }

  /** The same picture many times over, for times that can be trusted. */
  measure(): Promise<void> {
    const plan = {
      title: 'Running the network again and again',
      failureTitle: 'The network could not be measured',
      cancelNotice: 'Stopped; the runs so far count.',
      unit: 'runs' as const,
    };
    return this.#jobs.run(plan, async ({ signal, report }) => {
      const { network, picture } = this.#store.state;
      for (let run = 0; network !== null && picture !== null && run < kRuns; run += 1) {
        report(run, kRuns);
        const answers = await classifyBy(network, picture, signal);
        this.#store.update({ timings: this.#timed(answers) });
      }
    });
  }

  /** Shows what went wrong outside of jobs. */
  fail(title: string, error: unknown): void {
    this.#store.update({ failure: { title, error } });
  }

  #anew(): AbortController {
    this.#classifying.abort();
    this.#classifying = new AbortController();
    return this.#classifying;
  }

  /** New weights without a plan have none: the old one is another network's. */
  async #filesOf({ weights, plan, labels }: SortedFiles): Promise<NetworkFiles> {
    const old = this.#store.state.network?.files;
    const sources = weights.map((file) => ({ name: file.name, source: file }));
    const kept = weights.length === 0 ? old : undefined;
    return {
      name: weights[0]?.name.replace(/\.bin$/i, '') ?? old?.name ?? '',
      builtIn: false,
      weights: kept?.weights ?? sources,
      plan: plan === null ? (kept?.plan ?? null) : await plan.text(),
      labels: labels === null ? (kept?.labels ?? []) : linesOf(await labels.text()),
    };
  }

  /** Opens another network, has it answer, and only then lets go of the old one. */
  #open(title: string, find: (context: JobContext) => Promise<NetworkFiles>): Promise<void> {
    const plan = {
      title,
      failureTitle: 'The network was not opened',
      cancelNotice: kKept,
      unit: 'bytes' as const,
      interrupts: true,
    };
    return this.#jobs.run(plan, async (context) => {
      const network = await openNetwork(await find(context), this.#runtime, context);
      try {
        await this.#take(network, context);
      } catch (error) {
        await closeAll(network.variants);
        throw error;
      }
    });
  }

  async #take(network: Network, { signal }: JobContext): Promise<void> {
    const { picture, network: old } = this.#store.state;
    const answers = picture === null ? [] : await classifyBy(network, picture, signal);
    this.#anew();
    const timings = network.variants.map((_, i) => withRun(noTiming, answers[i]?.layers ?? []));
    this.#store.update({ network, answers, timings: picture === null ? [] : timings });
    await closeAll(old?.variants ?? []);
  }

  #timed(answers: readonly Classification[]): ClassifyState['timings'] {
    const { timings } = this.#store.state;
    return answers.map(({ layers }, i) => withRun(timings[i] ?? noTiming, layers));
  }

  /** A dead worker is started again, and then asked. */
  async #answer(picture: Picture, signal: AbortSignal): Promise<void> {
    const { network } = this.#store.state;
    if (network === null) {
      return;
    }
    const stale = (): boolean => signal.aborted || this.#store.state.network !== network;
    try {
      const answers = await classifyBy(network, picture, signal);
      if (!stale()) {
        this.#store.update({ answers, timings: this.#timed(answers), failure: null, notice: '' });
      }
    } catch (error) {
      if (stale()) {
        return;
      }
      if (error instanceof AmbryError && error.code === 'Crashed') {
        await this.#open(`Starting ${network.name} again`, async () => network.files);
      } else {
        this.fail('The picture could not be classified', error);
      }
    }
  }
}
