// The actions of the playground: run the code, and stop it.

import type { Store } from '../shared/base/store.ts';
import { noteUsed } from '../shared/site/used-files.ts';
import type { Message } from './messages.ts';
import type { PlaygroundState } from './state.ts';

/** The models of this site that the code names. Workers of its worker fetch them, so the page does not see it. */
const builtInModels = (code: string): string[] => code.match(/\bmodels\/[\w.-]+/g) ?? [];

export class PlaygroundSession {
  readonly #store: Store<PlaygroundState>;
  #worker: Worker | undefined;

  constructor(store: Store<PlaygroundState>) {
    this.#store = store;
  }

  edit(code: string): void {
    this.#store.update({ code });
  }

  run(): void {
    this.#end();
    this.#store.update({ output: '', problem: '', notice: 'Running…', isRunning: true });
    const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#finish('', event.message || 'The worker of the playground could not start.');
    });
    worker.postMessage(this.#store.state.code);
  }

  stop(): void {
    this.#finish('Stopped', '');
  }

  #receive(message: Message): void {
    if (message.kind === 'print') {
      this.#store.update({ output: this.#store.state.output + message.text });
    } else if (message.kind === 'done') {
      noteUsed(...builtInModels(this.#store.state.code));
      this.#finish('Done', '');
    } else {
      this.#finish('', message.problem);
    }
  }

  #finish(notice: string, problem: string): void {
    this.#end();
    this.#store.update({ notice, problem, isRunning: false });
  }

  /** Ends the code, and with it the workers of the models that it has opened. */
  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
