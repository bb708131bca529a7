// Errors as tools return them.
import { AmbryError, type Problem } from 'ambry';
import { visibleText } from 'ambry/tables';
import { cutText } from './shorten.ts';

const mostCharacters = 2000;

/** What is wrong, where in the file, and in which field. A message may have texts of a file. */
export function shownProblem({ code, message, byteOffset, path }: Problem): Problem {
  return {
    code,
    message: cutText(visibleText(message), mostCharacters),
    ...(byteOffset !== undefined && { byteOffset }),
    ...(path !== undefined && { path: cutText(visibleText(path), mostCharacters) }),
  };
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
}

/** Whether the caller can do something about it, and the log need not have it. */
export function isExpected(error: unknown): boolean {
  return isAbort(error) || (error instanceof AmbryError && error.code !== 'Crashed');
}

export function problemOf(error: unknown): Problem {
  if (error instanceof AmbryError) {
    return shownProblem(error.toJSON());
  }
  if (isAbort(error)) {
    return { code: 'Cancelled', message: 'The call was stopped.' };
  }
  return shownProblem({
    code: 'Crashed',
    message: error instanceof Error ? error.message : String(error),
  });
}

/** `BadValue at byte 12, header.flags: …` */
export function describeProblem({ code, message, byteOffset, path }: Problem): string {
  const place = [byteOffset === undefined ? '' : `at byte ${byteOffset}`, path ?? '']
    .filter(Boolean)
    .join(', ');
  return `${code}${place === '' ? '' : ` ${place}`}: ${message}`;
}
