// What went wrong with a download, said so that the reader can mend it: status, content type, URL, how
// many bytes of how many, and the way out.
import { AmbryError, messageOf } from '../../errors.ts';

/** An answer that is of no use: `what` is a clause, `fix` a sentence. */
export function badAnswer(response: Response, url: string, what: string, fix = ''): AmbryError {
  const type = response.headers.get('content-type') ?? 'no content-type';
  const status = `${response.status} ${response.statusText}`.trim();
  return new AmbryError('Http', `${what}: ${url} answered ${status} (${type}). ${fix}`.trimEnd());
}

export function badStatus(response: Response, url: string): AmbryError {
  const fix = response.status === 404 ? 'Check the address.' : '';
  return badAnswer(response, url, 'The server did not send the file', fix);
}

export function gotHtml(response: Response, url: string): AmbryError {
  return badAnswer(
    response,
    url,
    'A web page (HTML) came instead of the file',
    'Check the address: many servers send their start page for files they do not have.',
  );
}

/** The download cannot be continued where it is, only begun again. */
export class MustRestart extends AmbryError {}

/** The connection ended, or never stood. */
export function brokenOff(
  url: string,
  got: number,
  total: number | undefined,
  cause: unknown,
): AmbryError {
  const of = total === undefined ? '' : ` of ${total}`;
  const message = `The download broke off after ${got}${of} bytes: ${url}: ${messageOf(cause)}`;
  return new AmbryError('Http', message, { cause });
}

export function changed(url: string, before: number | undefined, now?: number): MustRestart {
  const sizes = now === before ? '' : ` (it had ${before} bytes, now ${now})`;
  return new MustRestart(
    'Http',
    `The file changed at the server while it was read${sizes}: ${url}`,
  );
}

export function wrongLength(url: string, got: number, total: number): AmbryError {
  return new AmbryError('Http', `The server announced ${total} bytes but sent ${got}: ${url}`);
}

export function unreachable(url: string, cause: unknown): AmbryError {
  const message = `No answer from ${url}: ${messageOf(cause)}. Check the address and the network; on another origin the server must send Access-Control-Allow-Origin.`;
  return new AmbryError('Http', message, { cause });
}

/** Whether the file begins like a web page. No model format begins with `<`. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 256)).trimStart().toLowerCase();
  return text.startsWith('<!doctype') || text.startsWith('<html') || text.startsWith('<head');
}
