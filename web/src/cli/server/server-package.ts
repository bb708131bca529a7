// The package ambry-serve. It is installed by itself, because few users of `ambry` need a server.
import type { Model } from '../../index.ts';
import { UnreadableError } from '../shared/failure.ts';

const name = 'ambry-serve';

/** What the command line uses of it. */
export interface ServerPackage {
  serve(
    models: Readonly<Record<string, () => Promise<Model>>>,
    options: Readonly<Record<string, unknown>>,
    onError: (error: unknown, model?: string) => void,
  ): Promise<RunningServer>;
}

export interface RunningServer {
  readonly url: string;
  /** Resolves to the names of the models that could not be opened. */
  readonly opened: Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Rejects with `UnreadableError` if the package is not there. */
export async function importServer(): Promise<ServerPackage> {
  try {
    return (await import(name)) as ServerPackage;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Something else may be missing in the package itself.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) {
      throw error;
    }
    throw new UnreadableError(
      `The server is the package ${name}, which is not installed beside ambry. Run: npm install ${name} (with --global if ambry was installed so).`,
    );
  }
}
