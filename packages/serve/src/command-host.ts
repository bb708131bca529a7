// What the command uses of ambry's command line.
import type { Model } from 'ambry';
import type { CommandHost as ServerHost } from 'ambry-http';

export interface CommandHost extends ServerHost {
  exitCodeOf(error: unknown): number;
  /** Resolves to the function that opens a model. Rejects if there is no such file. */
  openerOf(file: string): Promise<() => Promise<Model>>;
}
