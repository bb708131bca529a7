// The actions of the part that learns from texts.

import type { ClassifierExample } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { type Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { ClassifyState } from '../state/state.ts';

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

  /** Trains a classifier in place of the one before. */
  #learn(find: () => Promise<readonly ClassifierExample[]>): Promise<void> {
    const plan = openingPlan('Loading the encoder', 'The texts could not be learned');
    return this.#jobs.run(plan, async (context) => {
      const { learnTexts } = await import('./learn-texts.ts');
      const learned = await learnTexts(await find(), this.#runtime, context);
      this.#store.update({ learned });
    });
  }

  /** Gives labels to a text with what was learned. */
  async tryText(text: string, signal: AbortSignal): Promise<void> {
    const { learned } = this.#store.state;
    if (learned === null || text.trim() === '') {
      this.#store.update({ textLabels: [] });
      return;
    }
    try {
      const textLabels = await learned.classifier.classify(text, { signal });
      if (!signal.aborted) {
        this.#store.update({ textLabels });
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#store.update({ failure: { title: 'The text could not be classified', error } });
      }
    }
  }
}
