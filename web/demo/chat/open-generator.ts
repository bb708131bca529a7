// The way in which language models come to the page. It does not touch the page's state.

import { AmbryError, open } from 'ambry';
import type { FileSource } from '../shared/file-source.ts';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import { type MemoryChoice, openOptionsOf } from './settings.ts';
import type { LoadedModel } from './state.ts';

export async function openGenerator(
  from: FileSource,
  memory: MemoryChoice,
  runtime: Runtime,
  { signal, report }: JobContext,
): Promise<LoadedModel> {
  const model = await open(from.source, {
    ...runtime,
    ...openOptionsOf(memory),
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
  const { generator } = model.info;
  if (generator === undefined) {
    await model.dispose();
    throw new AmbryError('Unsupported', 'This model does not write text');
  }
  return { ...from, model, generator };
}
