// Turns conversations into prompts by the Jinja template of the model. Pages fetch this file with their first
// conversation. Templates come from files that nobody has checked, so they run in a worker that holds nothing else:
// ending it stops any template, and the model stays.
import { AmbryError, abortError } from '../../base/errors.ts';
import type { Channel } from '../../rpc/channel.ts';
import { type Connection, connect } from '../../runtime/connect.ts';
import type { ChatTemplateCalls } from '../base/protocol.ts';
import { limitExceeded, renderMs, timeLimit } from '../jinja/base/limits.ts';

export { chooseTemplate, templatesOf } from './choose-template.ts';
export { templateNames } from './template-names.ts';

/** The worker stays this long after a rendering, so that the next one can use it. */
const idleMs = 10_000;
/** The worker keeps to the time by itself where it can. It cannot within a single step. */
const patienceMs = renderMs + 500;

type Model = Pick<Connection<never>, 'platform' | 'runtime' | 'further'>;

/** Renders the templates of a model, one at a time, and ends with it. */
export class TemplateRenderer {
  readonly #model: Model;
  #channel: Channel<ChatTemplateCalls> | undefined;
  /** Settles when the latest rendering does. It never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(model: Model) {
    this.#model = model;
    model.further.add(this);
  }

  /** An abort ends the rendering at once, also while other renderings run. */
  async render(
    template: string | undefined,
    names: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<string> {
    if (typeof template !== 'string') {
      throw noTemplate(template);
    }
    const rendering = this.#last.then(() => this.#render(template, names, signal));
    this.#last = rendering.catch(() => {});
    return untilAborted(rendering, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #render(
    template: string,
    names: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    if (signal?.aborted) {
      throw abortError(signal);
    }
    if (this.#isClosed) {
      throw new AmbryError('Cancelled', 'The model was disposed of.');
    }
    clearTimeout(this.#closeTimer);
    this.#channel ??= this.#start();
    const channel = this.#channel;
    try {
      if (!channel.isRunning) {
        await channel.call('prepareRendering', null, { signal });
      }
      return await renderIn(channel, { template, names }, signal);
    } catch (error) {
      // After anything but a fault of the template its worker is dead, or holds much memory.
      if ((error as AmbryError).code !== 'BadValue') {
        await this.#end();
      }
      throw error;
    } finally {
      this.#closeTimer = setTimeout(() => void this.#end(), idleMs);
      // In Node a timer would keep the process alive.
      (this.#closeTimer as { unref?: () => void }).unref?.();
    }
  }

  /** The worker runs no WebAssembly, so it ignores the caller's module. A call that is cancelled ends it at once. */
  #start(): Channel<ChatTemplateCalls> {
    const { platform, runtime } = this.#model;
    const { createWorker } = runtime;
    return connect<ChatTemplateCalls>(platform, { createWorker }, 'chat-template', 0).channel;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#closeTimer);
    const channel = this.#channel;
    this.#channel = undefined;
    await channel?.close('The model was disposed of while its template ran.');
  }
}

/** Ends the worker when the time is over. */
async function renderIn(
  channel: Channel<ChatTemplateCalls>,
  input: ChatTemplateCalls['renderTemplate']['in'],
  signal: AbortSignal | undefined,
): Promise<string> {
  const end = new AbortController();
  const abort = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const late = limitExceeded(timeLimit);
  const timer = setTimeout(() => end.abort(late), patienceMs);
  try {
    return await channel.call('renderTemplate', input, { signal: end.signal });
  } catch (error) {
    if (end.signal.reason === late) {
      throw late;
    }
    if ((error as AmbryError).code !== 'Crashed') {
      throw error;
    }
    throw limitExceeded(`of memory (${(error as Error).message})`, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) {
    return work;
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError(signal));
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function noTemplate(given: unknown): AmbryError {
  const message =
    given === undefined
      ? 'The file has no template for conversations; give one, or write the prompt as a text.'
      : `A template for conversations is a text, not ${typeof given}.`;
  const code = given === undefined ? 'NotFound' : 'BadValue';
  return new AmbryError(code, message, { path: 'chatTemplate' });
}
