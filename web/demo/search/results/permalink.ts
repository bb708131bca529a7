// The address of a question: what is asked, and how, stands in the page's URL and nowhere else.

import type { Choices } from './run-query.ts';

/** As long as the field lets a question be. */
const kLongest = 2000;

export interface Link extends Choices {
  readonly query: string;
}

/** What the part of an address behind its question mark asks for. */
export function readLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  return {
    query: (parameters.get('q') ?? '').trim().slice(0, kLongest),
    mode: parameters.get('mode') === 'words' ? 'words' : 'meaning',
    chosen: [...new Set(parameters.getAll('source').filter((name) => name !== ''))],
  };
}

/** The same part with this question in it; parameters of other kinds stay. */
export function writeLink(search: string, { query, mode, chosen }: Link): string {
  const parameters = new URLSearchParams(search);
  for (const name of ['q', 'mode', 'source']) {
    parameters.delete(name);
  }
  if (query !== '') {
    parameters.set('q', query);
    if (mode !== 'meaning') {
      parameters.set('mode', mode);
    }
    for (const name of chosen) {
      parameters.append('source', name);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Typing is written down once it pauses for as long. */
const kPauseMs = 400;

export interface Address {
  /** The question is being changed: the entry of the history changes with it. */
  changed(): void;
  /** The question is as it was meant: it gets an entry to come back to. */
  settle(): void;
}

/** Keeps the page's address at `current()`, and hands on what Back and Forward lead to. */
export function mountAddress(current: () => Link, follow: (link: Link) => void): Address {
  const title = document.title;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typing = false;

  const show = (): void => {
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
    show();
  };
  addEventListener('popstate', () => {
    clearTimeout(timer);
    typing = false;
    follow(readLink(location.search));
    show();
  });
  return {
    changed() {
      clearTimeout(timer);
      timer = setTimeout(write, kPauseMs);
    },
    settle() {
      write();
      typing = false;
    },
  };
}
