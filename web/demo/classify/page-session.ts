// The actions of the whole page: it shows a task, and gives files and addresses to the task that runs them.

import type { Store } from '../shared/base/store.ts';
import { explainGiven } from '../shared/explain/explain-failure.ts';
import type { GivenFiles } from '../shared/files/given-files.ts';
import type { Failure } from '../shared/jobs/jobs.ts';
import { openLinked, urlInLink } from '../shared/page-address/open-linked.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import type { ClassifyLink } from './classify-link.ts';
import type { IdentifiedFiles } from './given/identify-files.ts';
import type { Route } from './given/route.ts';
import { addressesOf } from './picture/network-address.ts';
import type { PictureSession } from './picture/picture-session.ts';
import { firstTexts } from './state/first-texts.ts';
import type { ClassifyState } from './state/state.ts';
import type { Task } from './state/task.ts';
import type { TextParts } from './text-parts.ts';

/** Loads the tasks with texts, once. */
export type LoadTexts = () => Promise<TextParts>;

export class PageSession {
  readonly #store: Store<ClassifyState>;
  readonly #runtime: Runtime;
  readonly #pictures: PictureSession;
  readonly #loadTexts: LoadTexts;

  constructor(
    store: Store<ClassifyState>,
    runtime: Runtime,
    pictures: PictureSession,
    loadTexts: LoadTexts,
  ) {
    this.#store = store;
    this.#runtime = runtime;
    this.#pictures = pictures;
    this.#loadTexts = loadTexts;
  }

  /** Shows a task, with its built-in model if it has none yet. */
  async choose(task: Task): Promise<void> {
    this.#store.update({ task, failure: null, notice: '' });
    await this.#openBuiltIn(task, this.#store.state.network !== null);
  }

  /** Shows what a link says. */
  async openLinked({ task, text, url, plan }: ClassifyLink): Promise<void> {
    this.#store.update({ task });
    if (task !== 'picture') {
      await this.#withTexts(({ texts }) =>
        task === 'labels' ? undefined : texts.setText(task, text || firstTexts[task]),
      );
    }
    const isOpen = this.#addresses(task);
    if (isOpen?.url === url && isOpen.plan === plan) {
      return;
    }
    const page = {
      open: (address: string, planUrl: string) => this.openUrl(address, planUrl),
      openBuiltIn: () => this.#openBuiltIn(task, false),
      fail: (failure: Failure) => this.#store.update({ failure }),
    };
    await openLinked(url, page, plan);
  }

  /** Opens the model at an address in the task for it. */
  async openUrl(address: string, planUrl = ''): Promise<void> {
    const kind = planUrl === '' ? await this.#kindAt(address) : 'imageClassifier';
    if (kind === 'textClassifier' || kind === 'tokenClassifier') {
      await this.#withTexts(({ texts }) => texts.openUrl(address, kind));
    } else if (this.#store.state.task === 'picture') {
      await this.#pictures.openUrl(address, planUrl);
    } else {
      await this.#withTexts(({ texts }) => texts.openUrl(address, kind));
    }
  }

  /** Opens the given files: a picture, a model, examples, a text, a plan or labels. */
  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const all = await given;
      const { routeOf } = await import('./given/route.ts');
      await this.#take(await routeOf(all.files, this.#store.state.task, this.#runtime), all);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #take(route: Route, all: GivenFiles): Promise<void> {
    switch (route.to) {
      case 'pictures':
        return this.#takePictures(route.files, all);
      case 'model':
        return this.#withTexts(({ texts }) => texts.openModel(route.given, all));
      case 'classifier':
        return this.#withTexts(({ learning }) => learning.openSaved(route.file));
      case 'examples':
        return this.#withTexts(({ learning }) => learning.learnFile(route.file));
      case 'text': {
        const { task } = this.#store.state;
        return this.#withTexts(({ texts }) =>
          task === 'text' || task === 'names' ? texts.readText(task, route.file) : undefined,
        );
      }
    }
  }

  async #takePictures(found: IdentifiedFiles, all: GivenFiles): Promise<void> {
    const { weights, plan, labels, picture } = found;
    const before = this.#store.state.network;
    const explain = explainGiven(all, 'classify');
    try {
      if (picture !== null) {
        await this.#pictures.showFile(picture);
        this.#store.update({ task: 'picture' });
      }
      if (weights.length > 0 || plan !== null || labels !== null) {
        await this.#pictures.openParts(found, explain);
      }
    } catch (error) {
      this.#fail(error, await explain(error).catch(() => ({})));
    }
    const { network, task } = this.#store.state;
    if (network !== before) {
      this.#store.update({ task: 'picture' });
    }
    if (task === 'picture' && network === null) {
      await this.#pictures.openBuiltIn();
    }
  }

  #fail(error: unknown, more: Partial<Failure> = {}): void {
    this.#store.update({ failure: { title: 'The file could not be opened', error, ...more } });
  }

  /** The addresses of what the task has open; null for nothing. */
  #addresses(task: Task): { readonly url: string; readonly plan: string } | null {
    const { state } = this.#store;
    if (task === 'picture') {
      return state.network === null ? null : addressesOf(state.network.files);
    }
    if (task === 'labels') {
      return { url: '', plan: '' };
    }
    const { loaded } = state[task];
    return loaded === null ? null : { url: urlInLink(loaded.source), plan: '' };
  }

  async #openBuiltIn(task: Task, isOpen: boolean): Promise<void> {
    if (task === 'picture') {
      await (isOpen ? undefined : this.#pictures.openBuiltIn());
    } else {
      await this.#withTexts(({ texts }) =>
        task === 'labels' ? undefined : texts.start(task, firstTexts[task]),
      );
    }
  }

  /** The code that asks for it comes with the first address. */
  async #kindAt(address: string) {
    const { kindOf } = await import('./given/route.ts');
    return kindOf(address, this.#runtime);
  }

  async #withTexts(use: (parts: TextParts) => Promise<void> | undefined): Promise<void> {
    try {
      await use(await this.#loadTexts());
    } catch (error) {
      this.#store.update({ failure: { title: 'This part of the page was not loaded', error } });
    }
  }
}
