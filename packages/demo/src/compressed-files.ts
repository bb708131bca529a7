// Files of the site in compressed form. Each is compressed with its first request, in a few milliseconds, and kept in memory.

import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from './encodings.ts';

/** What is compressed, and its type. Models are not: they hardly become smaller, and are read in parts. */
const types: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
]);
/** A smaller file does not become smaller. */
const leastBytes = 256;
/** A larger one would take a second. */
const mostFileBytes = 8 << 20;
/** The oldest ones are left out of the memory when there are more bytes. */
const mostBytes = 64 << 20;

/** Higher qualities save 2 %, and take five times as long. */
const brotliQuality = 5;

export interface CompressedFile {
  readonly content: Buffer;
  readonly etag: string;
  readonly modified: Date;
  readonly type: string;
}

interface Kept {
  readonly file: Promise<CompressedFile | undefined>;
  /** 0 until the file is compressed. */
  bytes: number;
}

const compress: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content),
};

const extensionOf = (path: string): string => extname(path).toLowerCase();

/** The names below the folder that an address may stand for. Hidden files, and names with signs of other systems, are none. */
function namesAt(address: string): string[] {
  let path: string;
  try {
    path = decodeURIComponent(address);
  } catch {
    return [];
  }
  if (!path.startsWith('/') || /[\0\\:]|\/\.|\/\//.test(path)) {
    return [];
  }
  if (path.endsWith('/')) {
    return [`${path}index.html`];
  }
  return extensionOf(path) === '' ? [`${path}.html`] : [path];
}

/** Whether answers for the address depend on the codings that a request accepts. */
export const isCompressible = (address: string): boolean =>
  namesAt(address).some((name) => types.has(extensionOf(name)));

/** Undefined if that saves nothing, or the file cannot be read: who sends it as it is says so. */
async function compressedFile(
  path: string,
  version: string,
  { mtime, size }: Stats,
  coding: Coding,
): Promise<CompressedFile | undefined> {
  const type = types.get(extensionOf(path));
  const content = await readFile(path)
    .then(compress[coding])
    .catch(() => undefined);
  return type === undefined || content === undefined || content.length >= size
    ? undefined
    : { content, etag: `W/"${version}"`, modified: mtime, type };
}

export class CompressedFiles {
  readonly #folder: string;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined for an address without a file, and for a file that is sent as it is. */
  async at(address: string, coding: Coding): Promise<CompressedFile | undefined> {
    const [name] = namesAt(address);
    if (name === undefined || !types.has(extensionOf(name))) {
      return undefined;
    }
    const path = join(this.#folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size < leastBytes || found.size > mostFileBytes) {
      return undefined;
    }
    // A new build has another version, and so has each coding.
    const version = `${found.size.toString(16)}-${found.mtime.getTime().toString(16)}-${coding}`;
    const key = `${path} ${version}`;
    const kept = this.#kept.get(key) ?? {
      file: compressedFile(path, version, found, coding),
      bytes: 0,
    };
    this.#kept.set(key, kept);
    const file = await kept.file;
    kept.bytes = file?.content.length ?? 0;
    this.#makeRoom();
    return file;
  }

  #makeRoom(): void {
    let bytes = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [key, oldest] of this.#kept) {
      if (bytes <= mostBytes) {
        return;
      }
      this.#kept.delete(key);
      bytes -= oldest.bytes;
    }
  }
}
