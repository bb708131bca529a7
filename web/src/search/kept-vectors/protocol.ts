// The calls of a worker that keeps vectors.

/** Where vectors are kept. */
export type VectorPlace = { readonly name: string } | { readonly path: string };

/** By which model, and with which prompt, texts became vectors. */
export interface VectorFingerprint {
  /** The vector of a fixed sentence. */
  readonly probe: Float32Array<ArrayBuffer>;
  /** Null for the model's own prompt. */
  readonly prompt: string | null;
}

export interface FoundVectors {
  /** 1 for each text whose vector is kept. */
  readonly found: Uint8Array<ArrayBuffer>;
  /** A row for each text. The row is zeros where no vector is kept. */
  readonly rows: Float32Array<ArrayBuffer>;
}

export type KeptVectorsCalls = {
  /** Opens the vectors that are kept there and gives their number. Starts an empty file where the kept ones are of
   *  another model or prompt. */
  openVectors: { in: { place: VectorPlace; fingerprint: VectorFingerprint }; out: number };
  findVectors: { in: { texts: readonly string[] }; out: FoundVectors };
  /** Keeps a row for each text. */
  keepVectors: { in: { texts: readonly string[]; rows: Float32Array<ArrayBuffer> }; out: null };
  closeVectors: { in: null; out: null };
};
