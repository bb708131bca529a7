// Keeps the question and its options in the page's address, and nowhere else.

import type { QueryOptions } from './run-query.ts';

/** The field's limit. */
const maxQueryLength = 2000;

export interface Link extends QueryOptions {
  readonly query: string;
}

/** Reads the query string of an address. */
export function readLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  return {
    query: (parameters.get('q') ?? '').trim().slice(0, maxQueryLength),
    mode: parameters.get('mode') === 'words' ? 'words' : 'meaning',
    sources: [...new Set(parameters.getAll('source').filter((name) => name !== ''))],
  };
}

/** Puts a question into the query string of an address. Other parameters stay. */
export function writeLink(search: string, { query, mode, sources }: Link): string {
  const parameters = new URLSearchParams(search);
  for (const name of ['q', 'mode', 'source']) {
    parameters.delete(name);
  }
  if (query !== '') {
    parameters.set('q', query);
    if (mode !== 'meaning') {
      parameters.set('mode', mode);
    }
    for (const name of sources) {
      parameters.append('source', name);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The address changes after a pause in typing. */
const typingPauseMs = 400;

export interface Address {
  /** The question is being typed. Its history entry changes with it. */
  changed(): void;
  /** The question is complete. The next one gets a history entry of its own. */
  commit(): void;
}

/** Keeps the page's address equal to `current()`. Calls `follow` after Back and Forward. */
export function mountPageAddress(current: () => Link, follow: (link: Link) => void): Address {
  const title = document.title;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typing = false;

  const showTitle = (): void => {
    const { query } = current();
    document.title = query === '' ? title : `${query} · Ambry`;
  };
  const write = (): void => {
    clearTimeout(timer);
    const here = writeLink(location.search, readLink(location.search));
    const next = writeLink(location.search, current());
    if (next !== here) {
      const place = location.pathname + next;
      if (typing) {
        history.replaceState(null, '', place);
      } else {
        history.pushState(null, '', place);
      }
      typing = true;
    }
    showTitle();
  };
  addEventListener('popstate', () => {
    clearTimeout(timer);
    typing = false;
    follow(readLink(location.search));
    showTitle();
  });
  return {
    changed() {
      clearTimeout(timer);
      timer = setTimeout(write, typingPauseMs);
    },
    commit() {
      write();
      typing = false;
    },
  };
}
