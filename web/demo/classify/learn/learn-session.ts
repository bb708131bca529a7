// The actions of the part that learns from texts.

import { AmbryError, type ClassifierExample } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { type Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { ClassifyState, Learned } from '../state/state.ts';

export class LearnSession {
  readonly #store: Store<ClassifyState>;
  readonly #jobs: Jobs<ClassifyState>;
  readonly #runtime: Runtime;

  constructor(store: Store<ClassifyState>, jobs: Jobs<ClassifyState>, runtime: Runtime) {
    this.#store = store;
    this.#jobs = jobs;
    this.#runtime = runtime;
  }

  /** Learns from lines with a label, a colon and a text. */
  async learnTyped(typed: string): Promise<void> {
    const { typedExamples } = await import('./learn-examples.ts');
    const found = typedExamples(typed);
    if ('problem' in found) {
      this.#store.update({ notice: found.problem });
    } else {
      await this.#learn(async () => found.examples);
    }
  }

  /** Learns from a table, JSON or lines of fastText. */
  learnFile(file: File): Promise<void> {
    return this.#learn(async () => (await import('./learn-texts.ts')).examplesIn(file));
  }

  /** Opens a classifier that was saved, with the built-in encoder. */
  openSaved(file: File): Promise<void> {
    const plan = openingPlan('Loading the encoder', 'The classifier was not opened');
    return this.#jobs.run(plan, async (context) => {
      const { openClassifier } = await import('./learn-texts.ts');
      this.#use(await openClassifier(file, this.#runtime, context));
    });
  }

  /** Trains a classifier in place of the one before. */
  #learn(find: () => Promise<readonly ClassifierExample[]>): Promise<void> {
    const plan = openingPlan('Loading the encoder', 'The texts could not be learned');
    return this.#jobs.run(plan, async (context) => {
      const { learnTexts } = await import('./learn-texts.ts');
      this.#use(await learnTexts(await find(), this.#runtime, context));
    });
  }

  #use(learned: Learned): void {
    this.#store.update({ task: 'labels', learned });
  }

  /** Gives labels to a text with what was learned. */
  async tryText(tried: string, signal: AbortSignal): Promise<void> {
    this.#store.update({ tried });
    const { learned } = this.#store.state;
    if (learned === null || tried.trim() === '') {
      this.#store.update({ triedLabels: [] });
      return;
    }
    const { classifier, examples } = learned;
    try {
      const triedLabels = await classifier.classify(tried, { k: classifier.labels.length, signal });
      if (!signal.aborted) {
        this.#store.update({ triedLabels });
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (error instanceof AmbryError && error.code === 'Crashed' && examples !== null) {
        // What is tried is labelled again when it has learned.
        await this.#learn(async () => examples);
      } else {
        this.#store.update({ failure: { title: 'The text could not be classified', error } });
      }
    }
  }
}
