// What the command uses of ambry's command line.
import type { FetchOptions, JobOptions, Model, ModelKind, SearchIndex } from 'ambry';
import type { CommandHost as ServerHost } from 'ambry-http';

export interface CommandHost extends ServerHost {
  /** How models are fetched. */
  readonly fetching: FetchOptions;
  /** Resolves to the function that opens a model. Rejects if there is no such file. */
  openerOf(file: string, kind?: ModelKind): Promise<(call?: JobOptions) => Promise<Model>>;
  /** Resolves to the function that opens an index with its model. Rejects if there is no such file. */
  indexOpenerOf(
    file: string,
    model?: string,
  ): Promise<(call?: JobOptions) => Promise<{ readonly index: SearchIndex } & AsyncDisposable>>;
}
