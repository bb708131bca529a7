// The built-in model, notes and example questions.

import type { Doc } from 'ambry';
import notesUrl from '../../corpus/everyday.json?url';
import type { DocumentSource } from './state.ts';

/** The id of the built-in notes among the documents. */
export const notesId = 'notes';

export const builtInModelName = 'english-static-336';

/** Relative to the page, so the site works in any folder of a server. */
export function builtInModelUrl(): URL {
  return new URL(`../models/${builtInModelName}.weights`, document.baseURI);
}

/** The best result of each shares no content word with the question. */
export const exampleQueries: readonly string[] = [
  'trouble falling asleep at night',
  'what helps against an insect bite',
  'nausea on a boat',
];

interface Notes {
  readonly title: string;
  readonly passages: readonly {
    readonly id: string;
    readonly subject: string;
    readonly text: string;
  }[];
}

export async function fetchNotes(signal: AbortSignal): Promise<DocumentSource> {
  const response = await fetch(notesUrl, { signal });
  if (!response.ok) {
    throw new Error(
      `The built-in notes could not be loaded. The server answered ${response.status}.`,
    );
  }
  const notes = (await response.json()) as Notes;
  const passages: Doc[] = notes.passages.map(({ id, subject, text }) => ({
    id,
    text,
    source: subject,
  }));
  return { id: notesId, name: notes.title, passages };
}
