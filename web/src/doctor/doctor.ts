// What this machine, and a URL, have and lack for our work: each finding with what to do about it.

import { refuseWrong } from '../base/call.ts';
import { AmbryError, messageOf } from '../base/errors.ts';
import { address, type Kind, number } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import { jobOptionNames, runtimeOptionNames } from '../runtime/option-names.ts';
import { hasRelaxedSimd, hasSimd } from '../runtime/simd-support.ts';
import type { Hello, HelloCalls } from '../runtime/types.ts';
import { RetryPolicy } from '../sources/base/retry-policy.ts';
import { chunksOf } from '../sources/base/stream.ts';
import type { FetchOptions } from '../sources/base/types.ts';
import { isLasting, parseContentRange, versionIn } from '../sources/http/answer.ts';
import { looksLikeHtml } from '../sources/http/error.ts';
import { fetchWithTimeout } from '../sources/http/fetch-with-timeout.ts';
import { checkStallTimeout } from '../sources/wire-source.ts';
import type { DoctorCheck } from './types.ts';

export type DoctorOptions = JobOptions & RuntimeOptions & Pick<FetchOptions, 'stallTimeout'>;

const optionalAddress: Kind = {
  ...address,
  is: (value) => value === undefined || address.is(value),
};
const doctorOptionNames: OptionNames<DoctorOptions> = {
  ...jobOptionNames,
  ...runtimeOptionNames,
  stallTimeout: number,
};

/** What the platform has and lacks, apart from WebAssembly and workers. `url` is the address that is examined, if any. */
export type Environment = (url?: string) => DoctorCheck[] | Promise<DoctorCheck[]>;

export async function doctor(
  platform: Platform,
  environment: Environment,
  url: string | URL | undefined,
  options: DoctorOptions,
): Promise<DoctorCheck[]> {
  await refuseWrong([url], { url: optionalAddress });
  await refuseUnknown(options, doctorOptionNames);
  checkStallTimeout(options.stallTimeout);
  const checks = [simd(), relaxedSimd(), threads(), await worker(platform, options)];
  checks.push(...(await environment(url === undefined ? undefined : platform.absolute(url))));
  if (url !== undefined) {
    checks.push(...(await addressChecks(platform, url, options)));
  }
  return checks;
}

/** A finding; `fix` is dropped when nothing needs doing. */
export function check(name: string, ok: boolean, found: string, fix: string): DoctorCheck {
  return ok ? { name, ok, found } : { name, ok, found, fix };
}

function simd(): DoctorCheck {
  const ok = hasSimd();
  const fix = 'Needed. Chrome 91, Firefox 89, Safari 16.4 and Node 20 have it.';
  return check('simd', ok, ok ? 'WebAssembly SIMD' : 'no WebAssembly SIMD', fix);
}

function relaxedSimd(): DoctorCheck {
  const ok = hasRelaxedSimd();
  const fix = 'Not needed, but faster: Chrome 114, Firefox 145, Node 22.';
  return check('relaxed-simd', ok, ok ? 'relaxed SIMD' : 'no relaxed SIMD', fix);
}

function threads(): DoctorCheck {
  const ok = typeof SharedArrayBuffer === 'function';
  const fix =
    'Not needed. With cross-origin isolation several workers share the weights, and language models run on several threads.';
  return check('threads', ok, ok ? 'SharedArrayBuffer' : 'no SharedArrayBuffer', fix);
}

/** Starts a worker and its WebAssembly for real, which meets the CSP, the MIME types and the paths. */
async function worker(
  platform: Platform,
  options: JobOptions & RuntimeOptions,
): Promise<DoctorCheck> {
  try {
    const { formats } = await withWorker<HelloCalls, Hello>(
      platform,
      options,
      'inspect',
      (channel) => channel.call('hello', null, options),
    );
    const found = `a worker and its WebAssembly run; formats: ${formats.join(', ')}`;
    return check('worker', true, found, '');
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    const fix =
      "A strict CSP needs script-src 'self' 'wasm-unsafe-eval' and worker-src 'self'; no other header is needed.";
    return check('worker', false, error.message, fix);
  }
}

async function addressChecks(
  platform: Platform,
  url: string | URL,
  { signal = new AbortController().signal, stallTimeout }: DoctorOptions,
): Promise<DoctorCheck[]> {
  const target = platform.absolute(url);
  const { stallMs } = new RetryPolicy({ stallMs: stallTimeout });
  let response: Response;
  let head: Uint8Array;
  try {
    const headers = { range: 'bytes=0-255' };
    response = await fetchWithTimeout(target, { headers, signal, stallMs });
    head = await firstChunk(response, signal, stallMs);
  } catch (error) {
    signal.throwIfAborted();
    const fix =
      'Check the address and the network; another origin must send Access-Control-Allow-Origin.';
    return [check('url', false, `no answer from ${target}: ${messageOf(error)}`, fix)];
  }
  return [
    answer(response, head),
    ranges(response),
    length(response),
    version(response),
    ...cors(platform, response),
  ];
}

async function firstChunk(
  { body }: Response,
  signal: AbortSignal,
  stallMs: number,
): Promise<Uint8Array> {
  for await (const chunk of body ? chunksOf(body, signal, stallMs) : []) {
    return chunk;
  }
  return new Uint8Array(0);
}

function answer(response: Response, head: Uint8Array): DoctorCheck {
  const type = response.headers.get('content-type') ?? 'no content-type';
  const html = looksLikeHtml(head);
  const found = `${response.status} ${response.statusText} (${type})${html ? ', a web page' : ''}`;
  const fix = html
    ? 'A web page came instead of a file: check the address.'
    : 'The file cannot be downloaded: check the address.';
  return check('url', response.ok && !html, found, fix);
}

function ranges(response: Response): DoctorCheck {
  const partial = response.status === 206;
  const visible = parseContentRange(response.headers.get('content-range')) !== undefined;
  const found = partial
    ? `answers ranges${visible ? '' : ', but hides Content-Range'}`
    : 'does not answer ranges';
  const fix = partial
    ? 'Send Access-Control-Expose-Headers: Content-Range, Content-Encoding, ETag.'
    : 'Not needed to load a whole model; inspecting a large file is quicker from a server with ranges.';
  return check('range', partial && visible, found, fix);
}

function length(response: Response): DoctorCheck {
  const range = parseContentRange(response.headers.get('content-range'));
  const total = range?.total ?? response.headers.get('content-length');
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  const known = total !== null && encoding === 'identity';
  const found = known ? `${total} bytes` : `size unknown (content-encoding ${encoding})`;
  return check(
    'length',
    known,
    found,
    'Serve model files without compression and with Content-Length.',
  );
}

function version(response: Response): DoctorCheck {
  const found = versionIn(response);
  const fix =
    'Send a strong ETag or Last-Modified (to other origins with Access-Control-Expose-Headers: ETag), so that broken downloads are continued safely and kept files used again.';
  return check('version', isLasting(found), found ?? 'no strong ETag or Last-Modified', fix);
}

function cors(platform: Platform, response: Response): DoctorCheck[] {
  const allowed = platform.allowsPages(response);
  if (allowed === undefined) {
    return [];
  }
  const found = allowed
    ? 'pages of other origins may read it'
    : 'pages of other origins may not read it';
  return [check('cors', allowed, found, 'For use by a page: send Access-Control-Allow-Origin.')];
}
