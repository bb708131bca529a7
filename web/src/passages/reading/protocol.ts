// The messages between the caller and a worker that reads documents. Plain data only.
import type { WireError } from '../../base/errors.ts';
import type { DocumentRead, StreamedRecord } from '../base/types.ts';
import type { PassageBatch } from './passage-batches.ts';

export interface ReadRequest {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The maximum number of tokens in a passage. */
  readonly most: number;
  /** Whether the caller counts tokens. Else they are estimated. */
  readonly isCounted: boolean;
}

export type ToReader =
  | { readonly read: ReadRequest }
  /** The answer to `count`. */
  | { readonly counts: readonly number[] }
  /** The answer to `batch`. Without it, Node would unpack all messages before anything else. */
  | { readonly more: true }
  | { readonly records: RecordsRequest };

export type FromReader =
  /** The script is loaded. */
  | { readonly ready: true }
  /** What is read next, such as `page 7`. */
  | { readonly step: string }
  | { readonly count: readonly string[] }
  /** The next passages of the document. */
  | { readonly batch: PassageBatch }
  | { readonly done: Omit<DocumentRead, 'passages'> }
  | { readonly problem: WireError }
  /** A bug, or an engine that gave up. */
  | { readonly fatal: string }
  | { readonly records: RecordsAnswer };

/** A message of a session of `readRecords`. All but `close` have one answer. */
export type RecordsRequest = { readonly id: number } & (
  | {
      /** The name of the source in error messages. */
      readonly open: string;
    }
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  /** Asks for more records of the last bytes. */
  | { readonly more: true }
  /** No bytes come any more. */
  | { readonly finish: true }
  | { readonly close: true }
);

export interface RecordsAnswer {
  readonly id: number;
  readonly found?: readonly (
    | { readonly record: StreamedRecord }
    | { readonly problem: WireError }
  )[];
  /** Whether the bytes have no more records. */
  readonly isDone?: boolean;
  /** Ends the session. */
  readonly problem?: WireError;
  readonly fatal?: string;
}

/** A worker as the caller sees it, in browsers and in Node. */
export interface ReaderPort {
  post(message: ToReader, transfer: readonly ArrayBuffer[]): void;
  /** Called once, before the first post. */
  listen(onMessage: (message: unknown) => void, onCrash: (crash: Crash) => void): void;
  /** Whether the process waits for the worker. */
  hold(isBusy: boolean): void;
  terminate(): void;
}

export interface Crash {
  readonly reason: string;
  readonly isOutOfMemory?: boolean;
}

/** The readers with few libraries, and PDF.js. A page downloads the one that it needs. */
export type ReaderName = 'documents' | 'pdf';
