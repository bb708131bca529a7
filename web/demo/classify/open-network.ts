// Opens a network and runs it. This does not change the state of the page.

import { AmbryError, type Classification, type Model, open } from 'ambry';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Network, NetworkFiles, Picture, Variant } from './state.ts';

const variantOrder: readonly Variant['kind'][] = ['vanilla', 'dq8', 'sq8'];

/** Opens all files of a network, one after another. If one fails, it closes the others. */
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
        mode: 'classifier',
        signal,
        onProgress: ({ loaded, total }) => report(loaded, total),
      });
      variants.push({ name, kind: await kindOf(model), model });
    }
  } catch (error) {
    await closeAll(variants);
    throw error;
  }
  variants.sort((a, b) => variantOrder.indexOf(a.kind) - variantOrder.indexOf(b.kind));
  return { name: files.name, builtIn: files.builtIn, variants, files };
}

async function kindOf(model: Model): Promise<Variant['kind']> {
  const variant = model.info.classifier?.variant;
  if (variant === undefined) {
    await model.dispose();
    throw new AmbryError('Unsupported', 'This file is not a picture classifier');
  }
  return variant;
}

export async function closeAll(variants: readonly Variant[]): Promise<void> {
  await Promise.all(variants.map(({ model }) => model.dispose()));
}

/** Runs the variants one after another, so that they do not slow each other down. */
export async function classifyBy(
  { variants, files: { plan, labels } }: Network,
  { pixels }: Picture,
  signal: AbortSignal,
): Promise<Classification[]> {
  const answers: Classification[] = [];
  for (const { model } of variants) {
    const topK = model.info.classifier?.classes ?? 1;
    const answer = await model.classify(pixels, { topK, signal, ...(plan !== null && { plan }) });
    answers.push(withLabels(answer, labels));
  }
  return answers;
}

function withLabels(answer: Classification, labels: readonly string[]): Classification {
  const top = answer.top.map((score) => {
    const label = labels[score.index];
    return label === undefined ? score : { ...score, label };
  });
  return { ...answer, top };
}
