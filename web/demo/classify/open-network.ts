// The way in which networks come to the page. It does not touch the page's state.

import { type Classification, open } from 'ambry';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Network, NetworkFiles, Picture, Variant } from './state.ts';

const kOrder: readonly Variant['kind'][] = ['vanilla', 'dq8', 'sq8'];

/** Opens all files of a network, one after another. What fails closes those that were open. */
export async function openNetwork(
  files: NetworkFiles,
  runtime: Runtime,
  { signal, stage, report }: JobContext,
): Promise<Network> {
  const variants: Variant[] = [];
  try {
    for (const { name, source } of files.weights) {
      stage(`Opening ${name}`, 'bytes');
      const model = await open(source, {
        ...runtime,
        kind: 'classifier',
        signal,
        onProgress: ({ loaded, total }) => report(loaded, total),
      });
      variants.push({ name, kind: model.info.classifier.variant, model });
    }
  } catch (error) {
    await closeAll(variants);
    throw error;
  }
  variants.sort((a, b) => kOrder.indexOf(a.kind) - kOrder.indexOf(b.kind));
  return { name: files.name, builtIn: files.builtIn, variants, files };
}

export async function closeAll(variants: readonly Variant[]): Promise<void> {
  await Promise.all(variants.map(({ model }) => model.dispose()));
}

/** One answer a variant, one after another, so that none takes time from the next. */
export async function classifyBy(
  { variants, files: { plan, labels } }: Network,
  { pixels }: Picture,
  signal: AbortSignal,
): Promise<Classification[]> {
  const answers: Classification[] = [];
  for (const { model } of variants) {
    const topK = model.info.classifier.classes ?? 1;
    const answer = await model.classify(pixels, { topK, signal, ...(plan !== null && { plan }) });
    answers.push(named(answer, labels));
  }
  return answers;
}

function named(answer: Classification, labels: readonly string[]): Classification {
  const top = answer.top.map((score) => {
    const label = labels[score.index];
    return label === undefined ? score : { ...score, label };
  });
  return { ...answer, top };
}
