// Gives tools the model files that they may read.
import { AmbryError, type FetchOptions, type ModelSource } from 'ambry';
import type { McpSettings } from '../options/mcp-options.ts';
import { shortName } from '../results/shorten.ts';
import { reachableFile, realFolders } from './reachable.ts';

export interface ReadableModel {
  readonly source: ModelSource;
  readonly isDirectory: boolean;
}

/** `https://…`, `file:…`, `hf:…`; a letter before a colon is a drive. */
const address = /^([a-z][a-z0-9+.-]+):/i;

export class FileReader {
  readonly fetching: FetchOptions;
  /** Whether addresses may be read. */
  readonly addresses: boolean;
  readonly #folders: readonly string[];

  constructor({ folders, addresses, fetching }: NonNullable<McpSettings['files']>) {
    this.#folders = folders;
    this.addresses = addresses;
    this.fetching = fetching;
  }

  async find(given: string): Promise<ReadableModel> {
    const [, scheme] = address.exec(given) ?? [];
    if (scheme !== undefined) {
      return this.#atAddress(given, scheme.toLowerCase());
    }
    const { path, isDirectory } = await reachableFile(given, await realFolders(this.#folders));
    return { source: { path }, isDirectory };
  }

  #atAddress(given: string, scheme: string): ReadableModel {
    if (!['http', 'https', 'hf'].includes(scheme)) {
      const message = `${shortName(given)} is neither a path nor an address that can be read.`;
      throw new AmbryError('Unsupported', message, { path: 'path' });
    }
    if (!this.addresses) {
      const message = 'Addresses may not be read here. The option --allow-addresses lets them be.';
      throw new AmbryError('Unsupported', message, { path: 'path' });
    }
    if (scheme === 'hf') {
      return { source: given, isDirectory: false };
    }
    if (!URL.canParse(given)) {
      const message = `${shortName(given)} is no address.`;
      throw new AmbryError('BadValue', message, { path: 'path' });
    }
    const url = new URL(given);
    return { source: url, isDirectory: url.pathname.endsWith('/') };
  }
}
