// A model source in the form that crosses to a worker.
import type { FetchOptions } from './types.ts';

export type WireSource = (
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'path'; readonly path: string }
  /** Only where streams can be transferred. Elsewhere a stream is read into a blob first. */
  | {
      readonly kind: 'stream';
      readonly stream: ReadableStream<Uint8Array>;
      /** The first bytes of the stream, by which its kind is known before a worker takes it. */
      readonly head: Uint8Array;
    }
) & {
  /** Applies to URLs only. */
  readonly cache?: FetchOptions['cache'] | undefined;
  readonly sha256?: string | undefined;
};

/** One of a model's files of weights. The name is empty where the caller gave a single file and no directory. */
export interface NamedSource {
  readonly name: string;
  readonly source: WireSource;
}
