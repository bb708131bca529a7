// What a browser and a page's policy have and lack. Fetched with the first examination.

import { wasmHead } from '../runtime/simd-support.ts';
import { check } from './doctor.ts';
import { graphics } from './graphics.ts';
import type { DoctorCheck } from './types.ts';

export async function environment(): Promise<DoctorCheck[]> {
  return [isolation(), policy(), await privateFiles(), await quota(), memory(), await graphics()];
}

function isolation(): DoctorCheck {
  const ok = globalThis.crossOriginIsolated === true;
  const found = ok ? 'cross-origin isolated' : 'not cross-origin isolated';
  return check('isolation', ok, found, 'Not needed.');
}

/** Only whether compiling is allowed: trying eval itself would be reported as a violation. */
function policy(): DoctorCheck {
  try {
    new WebAssembly.Module(new Uint8Array(wasmHead));
    return check('csp', true, 'WebAssembly may be compiled', '');
  } catch {
    const fix = "Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy.";
    return check('csp', false, 'the Content-Security-Policy forbids WebAssembly', fix);
  }
}

async function privateFiles(): Promise<DoctorCheck> {
  const ok = await navigator.storage?.getDirectory?.().then(
    () => true,
    () => false,
  );
  const fix =
    'Not needed, but vectors are not kept without it. It takes a secure context (https), and no private window in some browsers.';
  return check(
    'opfs',
    ok === true,
    ok ? 'origin-private file system' : 'no origin-private file system',
    fix,
  );
}

async function quota(): Promise<DoctorCheck> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  const free = (estimate?.quota ?? 0) - (estimate?.usage ?? 0);
  const found = estimate
    ? `${Math.round(free / 1e6)} MB may be stored`
    : 'the browser does not say';
  return check(
    'quota',
    free > 100e6,
    found,
    'Not needed. Free some disk space to keep models offline.',
  );
}

function memory(): DoctorCheck {
  const gigabytes = (navigator as { deviceMemory?: number }).deviceMemory;
  const found = gigabytes === undefined ? 'the browser does not say' : `${gigabytes} GB or more`;
  return check('memory', true, found, '');
}
