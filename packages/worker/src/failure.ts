// What can go wrong: usage errors, and outages that are waited out.
import { AmbryError } from 'ambry';

export { AmbryError };

/** The command line is wrong. */
export class UsageError extends AmbryError {
  constructor(message: string, option?: string) {
    super('BadValue', message, { path: option });
  }
}

/** A server or a disk cannot be used at present. Work that has begun waits until it can. */
export class OutageError extends AmbryError {
  constructor(message: string, option: string, cause: unknown) {
    super('Http', message, { path: option, cause });
  }
}

/** The reason without a full stop, because a sentence goes on after it. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) {
    return error.errors.map(messageOf).join(', ');
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/(?<!\.)\.$/, '');
}

/** Removes the password from the URL of a server, for messages. Whoever forgets to encode an @ or a / of a password writes an
 *  address that has others than those that are meant, so all up to the last @ goes. */
export function shownUrl(url: string): string {
  return url.replace(/\/\/([^:@/?#]*)(?::.*)@/s, '//$1:***@');
}
