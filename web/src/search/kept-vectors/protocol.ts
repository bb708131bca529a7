// The calls of a worker that keeps vectors.

/** The place of kept vectors. */
export type VectorPlace = { readonly name: string } | { readonly path: string };

/** The model and the prompt that made the vectors. */
export interface VectorFingerprint {
  /** The vector of a fixed sentence. */
  readonly probe: Float32Array<ArrayBuffer>;
  /** Null for the model's own prompt. */
  readonly prompt: string | null;
}

export interface FoundVectors {
  /** 1 for each text whose vector is kept. */
  readonly found: Uint8Array<ArrayBuffer>;
  /** A row for each text. A row is zeros if no vector is kept. */
  readonly rows: Float32Array<ArrayBuffer>;
}

export type KeptVectorsCalls = {
  /** Opens the vectors at this place and returns their number. Starts an empty file if the vectors there are of
   *  another model or prompt. */
  openVectors: { in: { place: VectorPlace; fingerprint: VectorFingerprint }; out: number };
  findVectors: { in: { texts: readonly string[] }; out: FoundVectors };
  /** Keeps a row for each text. */
  keepVectors: { in: { texts: readonly string[]; rows: Float32Array<ArrayBuffer> }; out: null };
  closeVectors: { in: null; out: null };
};
