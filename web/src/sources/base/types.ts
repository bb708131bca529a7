// The types that callers use to name a source.

/** Where a model file comes from. A string is a URL, or a name at the hub: `hf:owner/name`, `hf:owner/name@revision`,
 *  `hf:owner/name/file`. In Node it can also be a path. */
export type ModelSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | { readonly path: string };

/** How a source is fetched, cached and checked. */
export interface FetchOptions {
  /**
   * Keeps what is downloaded whole from an http(s) URL. A download continues after a reload, and the file is used
   * again while the server says that it is the same. `true` uses the browser's storage (its private files, else the
   * Cache API), or in Node the user's cache directory; `directory` names another one. With `keep: false`, a file that is in
   * the cache is used, and nothing is added. The default is off.
   */
  readonly cache?: boolean | CachePlace;
  /** The SHA-256 that the file must have, in hexadecimal. The whole file is read to check it. */
  readonly sha256?: string;
  /** For a URL: how many milliseconds to wait for a server that sends nothing. The default is 30,000. `Infinity` waits for
   *  ever. */
  readonly stallTimeout?: number;
  /** For names that begin with `hf:`. Nothing is asked of a hub unless the caller gives such a name. */
  readonly hub?: HubOptions;
  /** For names that begin with `hf:`: where a repository has no weights that Ambry opens, or only ONNX's, the repository
   *  that its model card names as base (`base_model`) is read in its place. By default an ONNX file of a known model is
   *  opened, and otherwise an error names the base. A base of which the model was fine-tuned or merged has other weights,
   *  and is never taken. */
  readonly followBase?: boolean;
}

export interface CachePlace {
  /** Node only. The default is the user's cache directory. */
  readonly directory?: string;
  readonly keep?: boolean;
}

/** The hub that `hf:` names are looked up at. */
export interface HubOptions {
  /** The address of the hub or of a mirror. The default is Hugging Face's. */
  readonly endpoint?: string | URL;
  /** A token for gated and private repositories. It is sent to the endpoint's origin only, and to no server that a request
   *  is redirected to. The default is none. */
  readonly token?: string;
}

/** The defaults of options that are absent. */
export const fetchDefaults = { stallTimeout: 30_000 } as const satisfies FetchOptions;

/** The files of a Hugging Face directory by relative path (`config.json`, `1_Pooling/config.json`, …). A first folder
 *  that all paths share is ignored. */
export type ModelDirectory =
  | ReadonlyMap<string, ModelSource>
  | Readonly<Record<string, ModelSource>>;

/** The files of a model that is split into several (`name-00001-of-00003.gguf`, …): by their names, or files that have
 *  these names. */
export type ModelParts = ModelDirectory | readonly File[];
