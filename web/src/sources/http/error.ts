// Errors of downloads. A message has the status, the content type, the URL and the byte counts, and says how to fix
// the problem.
import { AmbryError, messageOf } from '../../errors.ts';

/** A response that cannot be used. `what` is a clause, `fix` a sentence. */
export function badAnswer(response: Response, url: string, what: string, fix = ''): AmbryError {
  const type = response.headers.get('content-type') ?? 'no content-type';
  const status = `${response.status} ${response.statusText}`.trim();
  return new AmbryError('Http', `${what}: ${url} answered ${status} (${type}). ${fix}`.trimEnd());
}

export function badStatus(response: Response, url: string, isHub = false): AmbryError {
  const { status } = response;
  const isGated = isHub && (status === 401 || status === 403);
  const fix = isGated
    ? 'It needs a token that may read it (hub.token).'
    : status === 404
      ? 'Check the address.'
      : '';
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

/** The download cannot continue; it must start again. */
export class MustRestart extends AmbryError {}

export function mustRestart(cause: AmbryError): MustRestart {
  return new MustRestart(cause.code, cause.message, { cause });
}

/** The connection broke, or was never made. */
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
  const message = `The file changed at the server while it was read${sizes}: ${url}. Open it again.`;
  return new MustRestart('Mismatch', message);
}

/** Bytes that may be of another version of the file. */
export function unproven(url: string): AmbryError {
  const message = `The server does not say which version of the file it sent (ETag, Last-Modified), or which part (Content-Range): ${url}`;
  return new AmbryError('Mismatch', message);
}

export function wrongLength(url: string, got: number, total: number): AmbryError {
  return new AmbryError('Http', `The server announced ${total} bytes but sent ${got}: ${url}`);
}

export function unreachable(url: string, cause: unknown): AmbryError {
  // Browsers give no reason, and a missing header is a common one. Node gives the reason.
  const hasReason = cause instanceof Error && cause.cause !== undefined;
  const header = '; on another origin the server must send Access-Control-Allow-Origin';
  const fix = `Check the address and the network${hasReason ? '' : header}.`;
  return new AmbryError('Http', `No answer from ${url}: ${messageOf(cause)}. ${fix}`, { cause });
}

/** Whether the file starts like a web page. No model format starts with `<`. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 256)).trimStart().toLowerCase();
  return text.startsWith('<!doctype') || text.startsWith('<html') || text.startsWith('<head');
}
