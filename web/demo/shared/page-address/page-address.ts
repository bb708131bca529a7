// Keeps the page's address equal to what the page shows, so that a reload, Back, Forward and a link show it again.

import { type Parameters, readLink, writeLink } from './parameters.ts';

/** The address changes after a pause in typing. */
const typingPauseMs = 400;

interface AddressSetup<Link> {
  readonly parameters: Parameters<Link>;
  /** What the page shows now. */
  current(): Link;
  /** Shows a link after Back and Forward. Until it is done, the page does not change its address. */
  follow(link: Link): Promise<void> | void;
  /** Names what the link shows. Empty: the page's own title. */
  titleOf(link: Link): string;
}

export interface Address {
  /** Something is being typed. The history entry changes with it. */
  changed(): void;
  /** What was typed or chosen is complete. The next one gets a history entry of its own. */
  commit(): void;
  /** Something was chosen. It gets a history entry of its own at once. */
  choose(): void;
  /** A detail was chosen. The history entry changes with it. */
  refine(): void;
  /** The whole address of what the page shows now. */
  link(): string;
}

const maxTitleLength = 80;

function titleWith(title: string, name: string): string {
  const line = name.replace(/\s+/g, ' ');
  const short = line.length > maxTitleLength ? `${line.slice(0, maxTitleLength)}…` : line;
  return short === '' ? title : `${short} · Ambry`;
}

export function mountPageAddress<Link>(setup: AddressSetup<Link>): Address {
  const { parameters, current } = setup;
  const title = document.title;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typing = false;
  let following = 0;

  const showTitle = (): void => {
    document.title = titleWith(title, setup.titleOf(current()));
  };
  const searchOf = (link: Link): string => writeLink(location.search, parameters, link);
  const write = (): void => {
    clearTimeout(timer);
    if (following > 0) {
      return;
    }
    const next = searchOf(current());
    if (next !== searchOf(readLink(location.search, parameters))) {
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
  const follow = async (): Promise<void> => {
    clearTimeout(timer);
    typing = false;
    following += 1;
    try {
      await setup.follow(readLink(location.search, parameters));
    } finally {
      following -= 1;
    }
    showTitle();
  };
  showTitle();
  addEventListener('popstate', () => void follow());
  return {
    changed() {
      clearTimeout(timer);
      timer = setTimeout(write, typingPauseMs);
    },
    commit() {
      write();
      typing = false;
    },
    choose() {
      typing = false;
      write();
      typing = false;
    },
    refine() {
      typing = true;
      write();
      typing = false;
    },
    link: () => new URL(location.pathname + searchOf(current()), location.origin).href,
  };
}
