// The model of a worker that can open every kind: it takes the calls that several kinds have.
import type { Loader } from '../../model/worker-open.ts';
import type { CallContext } from '../../rpc/serve.ts';

/** The calls of a feature, by name. */
type Calls = Readonly<Record<string, (input: never, context: CallContext) => Promise<unknown>>>;

interface Feature {
  readonly loader: Loader;
  readonly handlers: object;
}

export class OpenModel {
  #calls: Calls = {};

  /** Says whose model, or tokenizer, is open now. */
  serveWith(handlers: object): void {
    this.#calls = handlers as Calls;
  }

  /** The loader of a feature, whose calls are served once it has opened a model. */
  loaderOf({ loader, handlers }: Feature): Loader {
    const { load, loadRanged } = loader;
    const served = <T>(opened: T): T => {
      this.serveWith(handlers);
      return opened;
    };
    return {
      ...loader,
      load: async (...args) => served(await load(...args)),
      ...(loadRanged && { loadRanged: async (...args) => served(await loadRanged(...args)) }),
    };
  }

  /** A handler for every call of these features. The open model answers it, or else the first feature that has the call:
   *  it says that nothing is open. */
  handlersOf(features: readonly object[]): Calls {
    const all: Record<string, Calls[string]> = {};
    for (const [name, first] of features.flatMap((handlers) => Object.entries(handlers as Calls))) {
      all[name] ??= (input, context) => (this.#calls[name] ?? first)(input, context);
    }
    return all;
  }
}
