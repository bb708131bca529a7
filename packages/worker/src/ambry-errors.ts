// The error class of `ambry`, and one line about anything that was thrown.
export { AmbryError } from 'ambry';

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
