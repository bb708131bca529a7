// A source in the form that is sent to a worker.
import type { FetchOptions } from './types.ts';

export type WireSource = (
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'path'; readonly path: string }
  /** Only if the browser can transfer streams. Otherwise the stream is read into a blob first. */
  | {
      readonly kind: 'stream';
      readonly stream: ReadableStream<Uint8Array>;
      /** The first bytes of the stream. They tell the kind of the file before a worker opens it. */
      readonly head: Uint8Array;
    }
) & {
  /** These two apply to URLs only. */
  readonly cache?: FetchOptions['cache'] | undefined;
  readonly stallTimeout?: number | undefined;
  readonly sha256?: string | undefined;
};

/** One of the weight files of a model. The name is empty if the caller gave a single file and no directory. */
export interface NamedSource {
  readonly name: string;
  readonly source: WireSource;
}
