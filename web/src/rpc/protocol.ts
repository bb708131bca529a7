// The messages between a page and its worker. Plain data only. Each feature lists its calls in its own protocol.ts;
// rpc knows no call by name.
import type { Problem } from '../base/problem.ts';
import type { Progress } from './types.ts';

/** What any map of calls looks like. */
export type CallMap<C> = { [K in keyof C]: { in: unknown; out: unknown } };

export type ToWorker<C> =
  | { readonly greeting: unknown }
  | { readonly id: number; readonly call: keyof C; readonly in: unknown }
  | { readonly id: number; readonly cancel: true };

export type FromWorker =
  /** The script of a browser's worker is loaded. */
  | { readonly ready: true }
  | { readonly id: number; readonly ok: true; readonly out: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Problem }
  | { readonly id: number; readonly cancelled: true }
  | { readonly id: number; readonly progress: Progress }
  /** The worker cannot go on: its WebAssembly trapped. */
  | { readonly fatal: string };
