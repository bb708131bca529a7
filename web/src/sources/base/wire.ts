// A source in the form that is sent to a worker.
import type { FetchOptions } from './types.ts';

export type WireSource = (
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'path'; readonly path: string }
  /** Files that follow one another as one, in their order. */
  | { readonly kind: 'parts'; readonly parts: readonly NamedSource[] }
  /** Only if the browser can transfer streams. Otherwise the stream is read into a blob first. */
  | {
      readonly kind: 'stream';
      readonly stream: ReadableStream<Uint8Array>;
      /** The first bytes of the stream. They tell the kind of the file before a worker opens it. */
      readonly head: Uint8Array;
    }
) & {
  /** These three apply to URLs only. */
  readonly cache?: FetchOptions['cache'] | undefined;
  readonly stallTimeout?: number | undefined;
  /** For files at the hub. */
  readonly hub?: HubAccess | undefined;
  readonly sha256?: string | undefined;
};

/** What is known of a file at the hub besides its URL, which names one version for ever. */
export interface HubAccess {
  readonly token?: string;
  /** The SHA-256 of the file by the hub's list. It is compared when most of the file is streamed. */
  readonly sha256?: string;
}

/** One of several files of a model. The name is empty if the caller gave a single file and no directory. */
export interface NamedSource {
  readonly name: string;
  readonly source: WireSource;
}
