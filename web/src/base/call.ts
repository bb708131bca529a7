// Runs the public calls: checks their arguments, and lets their errors say where the caller is. A worker's answer arrives
// on no one's stack.
import { AmbryError } from './errors.ts';
import { findWrong, type KnownArguments } from './kinds.ts';
import { refuse } from './options.ts';

type Work = (...given: never[]) => Promise<unknown>;
/** A function or a class. */
type Called = ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown);

/** Where a call was made. Reading it writes the text of the stack, which costs more than to keep it. */
export interface Caller {
  readonly stack?: string;
}

/** The function with its arguments checked, and with the stack of its caller in its errors. It rejects and never throws. */
export function checked<F extends Work>(work: F, known: KnownArguments = {}): F {
  const call = function (this: unknown, ...given: never[]): Promise<unknown> {
    return called(call, () => refuseWrong(given, known) ?? work.apply(this, given));
  };
  return call as F;
}

/** Runs the work of a public call, with the stack of its caller in its errors. The call is the function that was called. */
export function called<T>(call: Called, work: () => Promise<T>): Promise<T> {
  const caller = callerOf(call);
  return begin(work).catch((error) => {
    throw withCaller(error, caller);
  });
}

/** Replaces methods of a class by ones that check their arguments. */
export function checkMethods<C>(
  { prototype }: { readonly prototype: C },
  known: { readonly [Name in keyof C]?: KnownArguments },
): void {
  for (const name of Object.keys(known) as (keyof C)[]) {
    prototype[name] = checked(prototype[name] as Work, known[name] as KnownArguments) as C[keyof C];
  }
}

/** Who called the function that is called. */
export function callerOf(call: Called): Caller {
  const { captureStackTrace } = Error as {
    captureStackTrace?: (to: object, below: unknown) => void;
  };
  const caller: Caller = captureStackTrace ? {} : new Error();
  captureStackTrace?.(caller, call);
  return caller;
}

/** The error with the caller's stack below its own. */
export function withCaller(error: unknown, { stack = '' }: Caller): unknown {
  if (!(error instanceof AmbryError)) {
    return error;
  }
  const frames = stack.split('\n').filter((line) => /^\s+at |@/.test(line));
  const isNew = frames[0] !== undefined && !error.stack?.includes(frames[0]);
  if (isNew) {
    error.stack = [error.stack, ...frames].join('\n');
  }
  return error;
}

/** Starts at once, so that calls keep their order. */
async function begin<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** Rejects with `BadValue` at the first argument that is not of its kind. Undefined if there is none. */
export function refuseWrong(
  given: readonly unknown[],
  known: KnownArguments,
): Promise<never> | undefined {
  for (const [i, [path, kind]] of Object.entries(known).entries()) {
    const wrong = findWrong(given[i], kind, path);
    if (wrong) {
      return refuse(wrong);
    }
  }
  return undefined;
}
