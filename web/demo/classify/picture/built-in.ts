// The built-in network for digits in three variants, and example digits.

import type { NetworkFiles } from '../state/state.ts';

const networkName = 'digits';
// In full: the build finds the files that a page needs by their names (web/build/site-files.ts).
const planFile = 'digits-plan.json';
const weightFiles = ['digits-vanilla.bin', 'digits-dq8.bin', 'digits-sq8.bin'];

/** Relative to the page, so the site works in any folder of a server. */
const urlOf = (name: string): URL => new URL(`../models/${name}`, document.baseURI);

export const builtInPlan = (): URL => urlOf(planFile);

export async function builtInFiles(): Promise<NetworkFiles> {
  const response = await fetch(builtInPlan());
  if (!response.ok) {
    throw new Error(`The plan could not be loaded. The server answered ${response.status}.`);
  }
  const weights = weightFiles.map((name) => ({ name, source: urlOf(name) }));
  return { name: networkName, builtIn: true, weights, plan: await response.text(), labels: [] };
}

export const firstDigit = 3;

/** SVG paths of the digits 0 to 9, in a box of 100 by 100. */
export const digitPaths: readonly string[] = [
  'M50 14C22 14 22 86 50 86C78 86 78 14 50 14Z',
  'M38 28L54 12L54 88',
  'M28 32C30 8 72 8 70 34C69 50 42 68 28 86L74 86',
  'M30 22C40 8 70 12 66 32C64 44 54 47 46 48C58 48 74 54 70 70C66 90 36 90 28 76',
  'M40 14L26 58L76 58M62 34L62 88',
  'M70 14L36 14L33 46C48 38 72 44 70 66C68 90 38 90 28 78',
  'M64 12C44 24 30 46 31 68C34 92 70 90 68 66C66 46 36 48 32 68',
  'M26 16L74 16L44 88',
  'M50 46C28 42 30 12 50 12C70 12 72 42 50 46C22 52 24 88 50 88C76 88 78 52 50 46Z',
  'M68 34C66 10 32 10 32 34C34 54 66 52 68 34L64 88',
];
