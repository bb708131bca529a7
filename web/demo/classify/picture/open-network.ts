// Opens a network and runs it. This does not change the state of the page.

import { type ImageRun, open } from 'ambry';
import { networkVariants } from 'ambry/tables';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { Network, NetworkFiles, Picture, Variant } from '../state/state.ts';

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
        kind: 'imageClassifier',
        signal,
        onProgress: ({ loaded, total }) => report(loaded, total),
      });
      variants.push({ name, kind: model.info.imageClassifier.variant, model });
    }
  } catch (error) {
    await closeAll(variants);
    throw error;
  }
  variants.sort((a, b) => networkVariants.indexOf(a.kind) - networkVariants.indexOf(b.kind));
  return {
    name: files.name,
    builtIn: files.builtIn,
    variants,
    files: withOwnPlan(files, variants),
  };
}

/** What is quantized from an ONNX file has no graph, so it runs with the plan of that file. */
function withOwnPlan(files: NetworkFiles, variants: readonly Variant[]): NetworkFiles {
  const own = variants.find(({ model }) => model.plan !== null)?.model.plan;
  return own && files.plan === null ? { ...files, plan: JSON.stringify(own) } : files;
}

export async function closeAll(variants: readonly Variant[]): Promise<void> {
  await Promise.all(variants.map(({ model }) => model.dispose()));
}

/** Runs the variants one after another, so that they do not slow each other down. The first answer has activations if they
 *  are asked for. */
export async function classifyBy(
  { variants, files: { plan, labels } }: Network,
  { pixels }: Picture,
  signal: AbortSignal,
  { activations }: { readonly activations: boolean },
): Promise<ImageRun[]> {
  const answers: ImageRun[] = [];
  for (const { model } of variants) {
    const k = model.info.imageClassifier.classes ?? 1;
    const answer = await model.run(pixels, {
      k,
      signal,
      activations: activations && answers.length === 0,
      ...(plan !== null && { plan }),
    });
    answers.push(withLabels(answer, labels.length > 0 ? labels : labelsOf(plan)));
  }
  return answers;
}

/** The labels of a plan that the network has taken. */
function labelsOf(plan: string | null): readonly string[] {
  const { labels = [] } = JSON.parse(plan ?? '{}') as { readonly labels?: readonly string[] };
  return labels;
}

function withLabels(answer: ImageRun, labels: readonly string[]): ImageRun {
  const named = answer.labels.map(({ index, score }) => ({
    label: labels[index] ?? `Class ${index}`,
    index,
    score,
  }));
  return { ...answer, labels: named };
}
