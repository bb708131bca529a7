// Finds out what the argument for a target names, and whether it is a file that the command reads.
import { fstatSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { findTarget } from '../../output/node-target.ts';
import { UsageError } from './failure.ts';
import { isRemote } from './input.ts';
import { openDevice, openPipe, type Sink } from './stream-target.ts';
import type { Terminal } from './terminal.ts';

export type Target =
  | { readonly kind: 'file' }
  /** `isOutput` for standard output, where nothing else may be printed. */
  | { readonly kind: 'stream'; readonly isOutput: boolean; readonly open: () => Promise<Sink> };

/** `-` and all other names of standard output are the same. */
export async function targetOf(argument: string, terminal: Terminal): Promise<Target> {
  if (argument === '-' || isOpenAs(1, await stat(argument).catch(() => undefined))) {
    const write = (chunks: AsyncIterable<Uint8Array>) => terminal.pipe(chunks);
    const open = () => Promise.resolve({ write, close: () => {} });
    return { kind: 'stream', isOutput: true, open };
  }
  const found = await findTarget(argument);
  if (found.kind === 'file') {
    return { kind: 'file' };
  }
  const { signal } = terminal;
  const open = () => (found.isPipe ? openPipe : openDevice)(argument, signal);
  return { kind: 'stream', isOutput: false, open };
}

/** Fails if the target is one of the files that are read, by whatever name. They would be lost. */
export async function refuseToReplace(
  target: string,
  inputs: readonly (string | undefined)[],
  advice = 'Name another file.',
): Promise<void> {
  const existing = target === '-' ? undefined : await stat(target).catch(() => undefined);
  if (!existing?.isFile()) {
    return;
  }
  for (const input of inputs) {
    if (input === undefined || isRemote(input)) {
      continue;
    }
    const isSame =
      input === '-'
        ? isOpenAs(0, existing)
        : isSameFile(existing, await stat(input).catch(() => undefined));
    if (!isSame) {
      continue;
    }
    const name = input === '-' ? 'standard input' : input;
    const message = `${target} would replace the file that is read: ${name}. ${advice}`;
    throw new UsageError(message);
  }
}

function isOpenAs(descriptor: number, stats: Stats | undefined): boolean {
  try {
    return isSameFile(stats, fstatSync(descriptor));
  } catch {
    return false;
  }
}

function isSameFile(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
