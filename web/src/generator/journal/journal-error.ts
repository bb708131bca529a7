// What a place that keeps journals could not do.
import { AmbryError, messageOf } from '../../base/errors.ts';

/** `LimitExceeded` if there is no space left, else `Unsupported`. The path is the name of the journal. */
export function journalError(name: string, cause: unknown): AmbryError {
  const { name: kind, code } = cause as { readonly name?: string; readonly code?: string };
  if (kind === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT') {
    const message = 'There is no space left for this journal.';
    return new AmbryError('LimitExceeded', message, { path: name, cause });
  }
  const message = `This journal cannot be used: ${messageOf(cause)}`;
  return new AmbryError('Unsupported', message, { path: name, cause });
}

/** Throws `BadValue` at `name`. */
export function checkJournalName(name: unknown): void {
  if (typeof name !== 'string' || name === '') {
    const message = 'The name of a journal is a text of at least one character.';
    throw new AmbryError('BadValue', message, { path: 'name' });
  }
}
