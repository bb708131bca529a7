// What is wrong, and where.
export type ErrorCode =
  | 'Truncated'
  | 'BadMagic'
  | 'UnsupportedVersion'
  | 'BadValue'
  | 'Overflow'
  | 'LimitExceeded'
  | 'Unsupported'
  | 'Mismatch'
  | 'NotFound'
  | 'NeedBytes'
  | 'Cancelled'
  /** The network: no answer, a status that is not success, HTML, a wrong length, a cut connection. */
  | 'Http'
  /** The worker or its WebAssembly died, and what it held is lost: open the model again. */
  | 'Crashed';

/** A problem in a file, as `validate` lists it and `AmbryError` carries it. */
export interface Problem {
  readonly code: ErrorCode;
  /** Start of the faulty field; absent when the problem has no place in the file. */
  readonly byteOffset?: number;
  /** `tensors[3].shape[1]` */
  readonly path?: string;
  readonly message: string;
  /** The size of the whole file; of a file that is cut off and states it (`Truncated`). */
  readonly wholeBytes?: number;
  /** The bytes around `byteOffset`, where `validate` was asked for them. */
  readonly context?: ByteContext;
}

/** Up to three rows of 16 bytes: the one with the faulty byte, those before and after it. */
export interface ByteContext {
  /** The offset of the first byte; a multiple of 16. */
  readonly offset: number;
  /** Two lower-case digits a byte, nothing between. */
  readonly hex: string;
}
