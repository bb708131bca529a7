// "Try with": a row of buttons for samples.

import { button, byId } from '../dom/dom.ts';
import type { GivenFiles } from '../files/given-files.ts';
import { fetchSample, type SampleName, samples } from './samples.ts';

/** Fills the element with the id `samples`. A page takes a sample as it takes a chosen file, and shows why it does not
 *  come. */
export function mountSamples(
  names: readonly SampleName[],
  receive: (given: Promise<GivenFiles>) => unknown,
): void {
  const buttons = names.map((name) =>
    button(samples[name].label, '', () => void receive(fetchSample(samples[name]))),
  );
  byId('samples', HTMLElement).append(...buttons);
}
