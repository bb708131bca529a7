// The actions with pictures and networks. An action that fails or is cancelled leaves the page as it was.

import { AmbryError } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { explainAddress } from '../../shared/explain/explain-failure.ts';
import { withoutExtension } from '../../shared/files/file-extension.ts';
import { fileNameOf } from '../../shared/files/file-names.ts';
import { type JobContext, type JobPlan, type Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { NetworkParts } from '../given/identify-files.ts';
import type { ClassifyState, Network, NetworkFiles, Picture } from '../state/state.ts';
import { builtInFiles } from './built-in.ts';
import { withVariants } from './make-variants.ts';
import { measured, warmUp } from './measure.ts';
import { linesOf } from './names.ts';
import { classifyBy, closeAll, openNetwork } from './open-network.ts';
import { readPicture } from './pictures.ts';

const maxVariants = 3;
/** The first measurement takes no more than seconds, and the button adds to it. */
const firstBatches = 5;
const moreBatches = 10;
const withActivations = { activations: true } as const;

/** The code for that comes with the first such link. */
const planAt = async (url: string, signal: AbortSignal): Promise<string> =>
  (await import('./fetch-plan.ts')).fetchPlan(url, signal);

export class PictureSession {
  readonly #store: Store<ClassifyState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ClassifyState>;
  #classifying = new AbortController();

  constructor(store: Store<ClassifyState>, jobs: Jobs<ClassifyState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = jobs;
  }

  openBuiltIn(): Promise<void> {
    return this.#open('Loading the built-in network', builtInFiles);
  }

  /** Opens the network at an address. All but residual networks need the address of their plan, too. */
  openUrl(url: string, planUrl = ''): Promise<void> {
    const name = fileNameOf(url);
    const weights = [{ name, source: url }];
    const files = async ({ signal }: JobContext): Promise<NetworkFiles> => ({
      name: withoutExtension(name, '.bin'),
      builtIn: false,
      weights,
      ...(planUrl === ''
        ? { plan: null }
        : { plan: await planAt(planUrl, signal), planSource: planUrl }),
      labels: [],
    });
    return this.#open(`Loading ${url}`, files, explainAddress(url, 'classify'));
  }

  /** Opens a network of files, or gives the open one a plan or labels. */
  async openParts(parts: NetworkParts, explain?: JobPlan['explain']): Promise<void> {
    if (parts.weights.length > maxVariants) {
      this.#store.update({ notice: 'Choose at most three files of one network.' });
    } else {
      await this.#open('Opening the network', () => this.#filesOf(parts), explain);
    }
  }

  /** Classifies the picture of a file. */
  async showFile(file: File): Promise<void> {
    await this.show(await readPicture(file));
  }

  /** Classifies a picture. A newer picture aborts the work for an older one. */
  async show(picture: Picture): Promise<void> {
    const { signal } = this.#restart();
    this.#store.update({ picture });
    await this.#classify(picture, signal);
  }

  clear(): void {
    this.#restart();
    this.#store.update({ picture: null, answers: [], failure: null, notice: '' });
  }

  /** Adds quantized variants of the network, to compare them. */
  compare(): Promise<void> {
    const { network, picture } = this.#store.state;
    if (network === null || picture === null) {
      return Promise.resolve();
    }
    return this.#open('Quantizing to DQ8', (context) =>
      withVariants(network.files, picture, this.#runtime, context),
    );
  }

  /** Classifies the same picture many times to measure the time per layer. */
  measure(): Promise<void> {
    const plan = {
      title: 'Measuring the network',
      failureTitle: 'The network could not be measured',
      cancelNotice: 'Stopped. The runs so far are counted.',
      unit: 'runs' as const,
    };
    return this.#jobs.run(plan, async ({ signal, report }) => {
      const { network, picture } = this.#store.state;
      if (network !== null && picture !== null) {
        await this.#measure(network, picture, moreBatches, signal, report);
      }
    });
  }

  /** The network is warm after its first runs, which are not counted. */
  async #measure(
    network: Network,
    picture: Picture,
    batches: number,
    signal: AbortSignal,
    report: (done: number, all: number) => void,
  ): Promise<void> {
    const size = await warmUp(network, picture, signal);
    for (let batch = 0; batch < batches; batch += 1) {
      report(batch, batches);
      const { timings } = this.#store.state;
      const next = await measured(network, picture, size, timings, signal);
      if (signal.aborted || this.#store.state.network !== network) {
        return;
      }
      this.#store.update({ timings: next });
    }
  }

  /** Measures a new network after its first answer, while nobody draws. */
  async #measureOnce(signal: AbortSignal): Promise<void> {
    const { network, picture, timings } = this.#store.state;
    if (network === null || picture === null || timings.length > 0) {
      return;
    }
    try {
      await this.#measure(network, picture, firstBatches, signal, () => undefined);
    } catch {
      // A newer picture or another network came first. The times are measured after that.
    }
  }

  /** Shows a failure outside of jobs. */
  fail(title: string, error: unknown): void {
    this.#store.update({ failure: { title, error } });
  }

  /** Aborts the running classification and returns the controller of the next one. */
  #restart(): AbortController {
    this.#classifying.abort();
    this.#classifying = new AbortController();
    return this.#classifying;
  }

  /** New weights do not use the old plan or labels, as these belong to the old network. */
  async #filesOf({ weights, plan, labels }: NetworkParts): Promise<NetworkFiles> {
    const old = this.#store.state.network?.files;
    const sources = weights.map((file) => ({ name: file.name, source: file }));
    const reused = weights.length === 0 ? old : undefined;
    return {
      name: weights[0]?.name.replace(/\.bin$/i, '') ?? old?.name ?? '',
      builtIn: false,
      weights: reused?.weights ?? sources,
      plan: plan === null ? (reused?.plan ?? null) : await plan.text(),
      ...(plan === null && reused?.planSource !== undefined && { planSource: reused.planSource }),
      labels: labels === null ? (reused?.labels ?? []) : linesOf(await labels.text()),
    };
  }

  /** Opens another network and classifies the picture with it. Then closes the old network. */
  #open(
    title: string,
    find: (context: JobContext) => Promise<NetworkFiles>,
    explain?: JobPlan['explain'],
  ): Promise<void> {
    const plan = openingPlan(title, 'The network was not opened', explain);
    return this.#jobs.run(plan, async (context) => {
      const network = await openNetwork(await find(context), this.#runtime, context);
      try {
        await this.#use(network, context);
      } catch (error) {
        await closeAll(network.variants);
        throw error;
      }
    });
  }

  async #use(network: Network, { signal }: JobContext): Promise<void> {
    const { picture, network: old } = this.#store.state;
    const answers =
      picture === null ? [] : await classifyBy(network, picture, signal, withActivations);
    const next = this.#restart();
    this.#store.update({ network, answers, timings: [] });
    await closeAll(old?.variants ?? []);
    void this.#measureOnce(next.signal);
  }

  /** If a worker died, it opens the network again. */
  async #classify(picture: Picture, signal: AbortSignal): Promise<void> {
    const { network } = this.#store.state;
    if (network === null) {
      return;
    }
    const isOutdated = (): boolean => signal.aborted || this.#store.state.network !== network;
    try {
      const answers = await classifyBy(network, picture, signal, withActivations);
      if (!isOutdated()) {
        this.#store.update({ answers, failure: null, notice: '' });
        void this.#measureOnce(signal);
      }
    } catch (error) {
      if (isOutdated()) {
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
