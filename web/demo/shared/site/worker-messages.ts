// What pages ask of the service worker. Each question comes with a port, on which one answer goes back.

import type { GivenFiles } from '../files/given-files.ts';

export type Question =
  /** What is kept of this page? */
  | ({ readonly kind: 'state' } & PageUse)
  /** Keep a few more files of what was used of this page, or of all pages, and say what is kept then. */
  | ({ readonly kind: 'keep'; readonly all: boolean } & PageUse)
  /** End what is being kept now. */
  | { readonly kind: 'stop' }
  /** Delete everything that is kept of the site. */
  | { readonly kind: 'delete' }
  /** Take over from the service worker of an older build. Has no answer. */
  | { readonly kind: 'take-over' }
  /** Hold files until the next page takes them. */
  | { readonly kind: 'hold'; readonly id: string; readonly given: GivenFiles }
  /** Give back what is held. */
  | { readonly kind: 'take'; readonly id: string };

/** What a page has used. */
export interface PageUse {
  /** The path of the page. */
  readonly page: string;
  readonly baseline: boolean;
  /** The addresses of what it has fetched. The service worker sees later ones itself. */
  readonly used: readonly string[];
}

/** The service worker says this to pages when they have fetched what is not kept yet. */
export const moreIsUsed = 'more-is-used';

/** In bytes. */
export interface KeptPart {
  readonly kept: number;
  readonly total: number;
}

/** Why a file could not be kept: the network failed or the server has another build by now, or the browser has no room. */
export type KeepingFault = 'not-sent' | 'no-room';

export interface KeptState {
  /** What was used of this page. */
  readonly page: KeptPart;
  readonly allPages: KeptPart;
  /** In bytes, of all that is kept, also of the documentation. */
  readonly everything: number;
  readonly fault: KeepingFault | null;
}

export const isComplete = ({ kept, total }: KeptPart): boolean => total > 0 && kept === total;
