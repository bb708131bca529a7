// Where the messages and answers of a session are kept while they come.

/**
 * A place for a session's text, which outlives the page or the process. `openJournal` opens one. A program may bring its
 * own, such as a row of its database.
 */
export interface Journal {
  /** All that was appended, in order. An empty text for a new journal. */
  read(): Promise<string>;
  /** Adds a text at the end. Resolves when it would outlive the page or the process. */
  append(text: string): Promise<void>;
}

/** A journal of `openJournal`. */
export interface StoredJournal extends Journal {
  /** Removes all that was appended. */
  clear(): Promise<void>;
}
