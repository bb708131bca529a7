// What went wrong, as the reader is told it.
import type { SearchStrings } from './strings.ts';

export interface Problem {
  readonly kind: Extract<
    keyof SearchStrings,
    'offline' | 'unreachable' | 'missing' | 'stale' | 'unreadable' | 'wrongSettings' | 'failed'
  >;
  /** Whether loading the page again helps more than another try. */
  readonly reload: boolean;
  /** For those who look after the site. */
  readonly details: string;
}

/** The script of the search is gone from the server: the site was deployed since the page was opened. */
export class MissingScript extends Error {}

/** So browsers say that a script which another one imports did not come. */
const notImported = /dynamically imported module|importing a module/i;

const isMissingScript = (error: unknown): boolean =>
  error instanceof MissingScript || (error instanceof TypeError && notImported.test(error.message));

interface Facts {
  readonly code?: string | undefined;
  readonly path?: string | undefined;
}

export function problemOf(error: unknown, isOnline: boolean): Problem {
  const details = error instanceof Error ? error.message : String(error);
  const kind = kindOf(error, isOnline);
  return { kind, details, reload: kind === 'stale' || kind === 'unreadable' };
}

function kindOf(error: unknown, isOnline: boolean): Problem['kind'] {
  const { code, path = '' } = factsOf(error);
  const isSetting = path === 'source' || path.startsWith('options.') || path.startsWith('element.');
  if (isSetting) {
    return 'wrongSettings';
  }
  if (isMissingScript(error) || code === 'Http') {
    if (!isOnline) {
      return 'offline';
    }
    if (isMissingScript(error)) {
      return 'stale';
    }
    const hasAnswer = error instanceof Error && error.cause === undefined;
    return path === 'manifest.json' && hasAnswer ? 'missing' : 'unreachable';
  }
  if (code === 'NotFound' || code === 'Mismatch') {
    return isOnline ? 'stale' : 'offline';
  }
  if (path.startsWith('manifest')) {
    return 'unreadable';
  }
  return 'failed';
}

/** The class of the error is in a script that may not have loaded. */
function factsOf(error: unknown): Facts {
  return error instanceof Error && error.name === 'AmbryError' ? (error as Error & Facts) : {};
}

/** An abort is no problem: another search has come. */
export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';
