// The actions of the whole page: it shows a task, and gives files and addresses to the task that runs them.

import type { Store } from '../shared/base/store.ts';
import type { GivenFiles } from '../shared/files/given-files.ts';
import type { Failure } from '../shared/jobs/jobs.ts';
import { openLinked, urlInLink } from '../shared/page-address/open-linked.ts';
import type { ClassifyLink } from './classify-link.ts';
import type { PageTools } from './page-tools.ts';
import { addressesOf } from './picture/network-address.ts';
import { firstTexts } from './state/first-texts.ts';
import type { ClassifyState } from './state/state.ts';
import type { Task } from './state/task.ts';
import type { TextParts } from './text-parts.ts';

export class PageSession {
  readonly #tools: PageTools;

  constructor(tools: PageTools) {
    this.#tools = tools;
  }

  get #store(): Store<ClassifyState> {
    return this.#tools.store;
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
  openUrl(address: string, planUrl = ''): Promise<void> {
    return this.#withTake(({ takeAddress }) => takeAddress(address, planUrl, this.#tools));
  }

  /** Opens the given files: a picture, a model, examples, a text, a plan or labels. */
  receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    return this.#withTake(async ({ takeFiles }) => takeFiles(await given, this.#tools));
  }

  /** The code for files and addresses comes with the first of them. */
  async #withTake(use: (take: typeof import('./take.ts')) => Promise<void>): Promise<void> {
    try {
      await use(await import('./take.ts'));
    } catch (error) {
      this.#tools.store.update({ failure: { title: 'The file could not be opened', error } });
    }
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
      await (isOpen ? undefined : this.#tools.pictures.openBuiltIn());
    } else {
      await this.#withTexts(({ texts }) =>
        task === 'labels' ? undefined : texts.start(task, firstTexts[task]),
      );
    }
  }

  async #withTexts(use: (parts: TextParts) => Promise<void> | undefined): Promise<void> {
    try {
      await use(await this.#tools.loadTexts());
    } catch (error) {
      this.#store.update({ failure: { title: 'This part of the page was not loaded', error } });
    }
  }
}
