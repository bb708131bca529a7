// Errors of downloads. A message has the status, the content type, the URL and the byte counts, and says how to fix
// the problem.
import { AmbryError, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';

/** A response that cannot be used. `what` is a clause, `fix` a sentence. */
export function badAnswer(response: Response, url: string, what: string, fix = ''): AmbryError {
  return new AmbryError('Http', describe(response, url, what, fix));
}

function describe(response: Response, url: string, what: string, fix: string): string {
  const type = response.headers.get('content-type') ?? 'no content-type';
  const status = `${response.status} ${response.statusText}`.trim();
  return `${what}: ${url} answered ${status} (${type}). ${fix}`.trimEnd();
}

/** The server does not have the file. */
export class Missing extends AmbryError {}

export function badStatus(response: Response, url: string, isHub = false): AmbryError {
  const what = 'The server did not send the file';
  const { status } = response;
  if (status === 404 || status === 410) {
    return new Missing('Http', describe(response, url, what, 'Check the address.'));
  }
  const isGated = isHub && (status === 401 || status === 403);
  return badAnswer(response, url, what, isGated ? 'It needs a token (hub.token).' : '');
}

export function gotHtml(response: Response, url: string): AmbryError {
  const what = 'A web page (HTML) came instead of the file';
  const fix = 'Check the address: many servers send their start page for files they do not have.';
  return new Missing('Http', describe(response, url, what, fix));
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
  return new AmbryError('Http', `No answer from ${url}: ${withoutStop(messageOf(cause))}. ${fix}`, {
    cause,
  });
}

/** Whether the file starts like a web page. No model format starts with `<`. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 256)).trimStart().toLowerCase();
  return text.startsWith('<!doctype') || text.startsWith('<html') || text.startsWith('<head');
}
