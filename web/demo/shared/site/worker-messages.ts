// What pages ask of the service worker. Each question comes with a port, on which one answer goes back.

import type { GivenFiles } from '../files/given-files.ts';

export type Question =
  /** What is kept of this page? */
  | { readonly kind: 'state'; readonly page: string; readonly baseline: boolean }
  /** Keep a few more files of this page, and say what is kept then. */
  | { readonly kind: 'keep'; readonly page: string; readonly baseline: boolean }
  /** Keep the file of the site at this path, which the user has tried, until there is a new build. */
  | { readonly kind: 'keep-sample'; readonly path: string }
  /** Delete everything that is kept of the site. */
  | { readonly kind: 'delete' }
  /** Take over from the service worker of an older build. Has no answer. */
  | { readonly kind: 'take-over' }
  /** Hold files until the next page takes them. */
  | { readonly kind: 'hold'; readonly id: string; readonly given: GivenFiles }
  /** Give back what is held. */
  | { readonly kind: 'take'; readonly id: string };

/** What is kept of a page. */
export interface KeptState {
  /** In bytes, of the files of the page. */
  readonly kept: number;
  readonly total: number;
  /** In bytes, of all pages and of the documentation. */
  readonly everything: number;
  /** Whether a file could not be kept: the network failed, the disk is full, or the server has another build by now. */
  readonly failed: boolean;
}

export const isComplete = ({ kept, total }: KeptState): boolean => total > 0 && kept === total;
