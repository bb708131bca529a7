// Holds a place to the model that made its vectors.
import { AmbryError } from './failure.ts';
import type { ModelMark } from './types.ts';

/** Refuses a place whose vectors another model made. */
export function checkMark(place: string, mark: ModelMark | undefined, sha256: string): void {
  if (!mark || mark.sha256 === sha256) {
    return;
  }
  const message = `"${place}" has vectors of another model: SHA-256 ${mark.sha256}, not ${sha256}. Give that model or another place.`;
  throw new AmbryError('Mismatch', message, { path: '--model' });
}
