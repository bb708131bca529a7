// Journals as files, for Node.
import { appendFile, readFile, rm } from 'node:fs/promises';
import type { StoredJournal } from '../base/journal-types.ts';
import { checkJournalName, journalError } from './journal-error.ts';

/** The file is made by the first text that is appended. */
export function fileJournal(path: string): StoredJournal {
  checkJournalName(path);
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw journalError(path, error);
    }
  };
  return {
    read: () => guarded(readFile(path, 'utf8').catch(emptyIfMissing)),
    append: (text) => guarded(appendFile(path, text)),
    clear: () => guarded(rm(path, { force: true })),
  };
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') {
    return '';
  }
  throw error;
}
