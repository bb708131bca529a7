// Starts the packaged worker scripts of a page. A bundler may have moved or dropped a script, a page may load the package
// from another origin, and its policy may demand trusted types.
import { AmbryError, messageOf } from '../base/errors.ts';

/** Calls `new Worker(new URL('./…', import.meta.url), …)`. Bundlers follow only an address that is written there. */
export type Starter = () => Worker;

/** Starts the script, also where the plain call is refused. */
export function startWorker(start: Starter): Worker {
  // Every refused call is a report to the page's owner.
  if (policy !== undefined) {
    return startOtherwise(start, undefined);
  }
  try {
    return start();
  } catch (error) {
    return startOtherwise(start, error);
  }
}

/** `error` is what the plain call threw. */
export function startOtherwise(start: Starter, error: unknown): Worker {
  const isKnown = policy !== undefined || startsOtherwise(error);
  const address = isKnown ? addressOf(start) : undefined;
  if (address === undefined) {
    throw error;
  }
  if (demandsTrust(error)) {
    makePolicy();
  }
  return workerAt(isOfOtherOrigin(error) ? scriptThatImports(address) : address);
}

/** Whether another call may start the script: as a trusted type, or from this origin. */
export const startsOtherwise = (error: unknown): boolean =>
  isOfOtherOrigin(error) || demandsTrust(error);

const isOfOtherOrigin = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'SecurityError';

const demandsTrust = (error: unknown): boolean =>
  error instanceof TypeError && 'trustedTypes' in globalThis;

/** Starts the script of an address that a starter gave, or that this package made. Browsers refuse one of another origin,
 *  so a script of this origin imports it. */
export function workerAt(address: string): Worker {
  try {
    return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' });
  } catch (error) {
    if (!isOfOtherOrigin(error) || address.startsWith('blob:')) {
      throw error;
    }
    return workerAt(scriptThatImports(address));
  }
}

/** What browsers call `trustedTypes`. TypeScript does not know it yet. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

/** Where the page demands trusted types. Nothing outside can reach it, so it trusts only addresses of this package's scripts. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

function makePolicy(): void {
  const { trustedTypes } = globalThis as unknown as { readonly trustedTypes: TrustedTypes };
  try {
    policy ??= trustedTypes.createPolicy('ambry', { createScriptURL: (address) => address });
  } catch {
    // Other entries of the package have this code, too, and make a policy of their own.
    const message =
      "The page demands trusted types. Add to its Content-Security-Policy: trusted-types ambry 'allow-duplicates'";
    throw new AmbryError('Unsupported', message);
  }
}

function scriptThatImports(address: string): string {
  let script = importing.get(address);
  if (script === undefined) {
    script = addressOfScript(`import ${JSON.stringify(address)};`);
    importing.set(address, script);
  }
  return script;
}

/** The scripts that import, by what they import. They stay, because a page starts workers again and again. */
const importing = new Map<string, string>();

export function addressOfScript(code: BlobPart): string {
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/** The address that a starter passes to `new Worker`; undefined where a bundler left none. Only the call itself tells it,
 *  because bundlers put another address there. */
export function addressOf(start: Starter): string | undefined {
  const { Worker } = globalThis;
  let address: string | undefined;
  class Catcher {
    constructor(url: string | URL) {
      address = new URL(url, globalThis.location?.href).href;
    }
  }
  try {
    globalThis.Worker = Catcher as unknown as typeof Worker;
    start();
  } catch {
    // `import.meta.url` is empty in scripts that are no modules.
  } finally {
    globalThis.Worker = Worker;
  }
  return address;
}

/** Where a script lies that Vite's development server looks for among its prebundled packages, to which it moves code, but
 *  no scripts. The server also serves the package itself. */
export function addressBeforeVite(address: string | undefined): string | undefined {
  const parts = /^(.*\/node_modules\/)\.vite\/[^/]+\/(.*)$/.exec(address ?? '');
  return parts ? `${parts[1]}ambry/dist/${parts[2]}` : undefined;
}

/** What stands at the address of a script that did not start. */
export interface Found {
  /** Whether the script is there, so that only the page's policy can keep it from running. */
  readonly isScript: boolean;
  /** What the server answered, for people. */
  readonly answer: string;
}

export async function lookFor(address: string | undefined): Promise<Found> {
  if (address === undefined) {
    return { isScript: false, answer: 'it has no address' };
  }
  try {
    const response = await fetch(address);
    await response.body?.cancel();
    const type = response.headers.get('content-type') ?? 'no content-type';
    const isScript = response.ok && /\b(java|ecma)script\b/i.test(type);
    return { isScript, answer: `the server answered ${response.status} (${type})` };
  } catch (error) {
    return { isScript: false, answer: messageOf(error) };
  }
}

/** A script that the page's policy refuses. */
export function refusedByPolicy(address: string | undefined): AmbryError {
  const origin = address?.startsWith('http') ? new URL(address).origin : '';
  const isForeign = origin !== '' && origin !== globalThis.location?.origin;
  const sources = isForeign ? `blob: ${origin}` : "'self'";
  const message = `The page may not start the worker ${address}. Add to its Content-Security-Policy: worker-src ${sources}`;
  return new AmbryError('Unsupported', message);
}
