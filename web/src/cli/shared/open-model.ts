// Opening a model of the kind that a command needs.
import { AmbryError } from '../../base/errors.ts';
import { conversions, formats, kindNames } from '../../entries/tables.ts';
import type { ModelKind, ModelSource, OpenOptions, Problem } from '../../entries/types.ts';
import type { Encoder, ModelOfKind, Reranker, SparseEncoder, WordVectors } from '../../index.ts';
import { open } from '../../node.ts';
import { describeProblem } from './failure.ts';
import { directorySource } from './input.ts';
import type { Terminal } from './terminal.ts';

/** A model that turns texts into vectors. */
export type Embedder = Encoder | WordVectors;

/** What a command does while it opens a model: progress and warnings go to standard error. */
export function openCall(
  terminal: Terminal,
): Required<Pick<OpenOptions, 'signal' | 'onProgress' | 'onWarning'>> {
  const { signal, onProgress } = terminal;
  const onWarning = (warning: Problem) => terminal.note(`warning  ${describeProblem(warning)}`);
  return { signal, onProgress, onWarning };
}

/** Opens the model. Refuses it with `Unsupported` when it is of none of these kinds. */
export async function openAs<K extends ModelKind>(
  kinds: readonly K[],
  file: string,
  source: ModelSource,
  options: OpenOptions,
): Promise<ModelOfKind[K]> {
  const model = await open(source, options).catch((error: unknown) => {
    throw error instanceof AmbryError && error.code === 'BadMagic' ? unknown(error, kinds) : error;
  });
  if (isOf(kinds, model)) {
    return model;
  }
  await model.dispose();
  const wanted = kinds.map((kind) => kindNames[kind]).join(' or ');
  const message = `${file} holds ${kindNames[model.kind]} (${model.info.format}); this command needs ${wanted}.`;
  throw new AmbryError('Unsupported', message, { path: 'model' });
}

/** What the command opens, after what the file is. */
function unknown(error: AmbryError, kinds: readonly ModelKind[]): AmbryError {
  const opened = kinds.map((kind) => `${kindNames[kind]} (${formatsOf(kind).join(', ')})`);
  const message = `${error.message.replace(/\.$/, '')}. This command opens ${opened.join(' or ')}.`;
  return new AmbryError(error.code, message, error);
}

/** An encoder with a head is of another kind than its format. */
const runsAs: { readonly [K in ModelKind]?: readonly ModelKind[] } = {
  reranker: ['encoder'],
  tokenClassifier: ['encoder'],
  questionAnswering: ['encoder'],
  fillMask: ['encoder'],
  sparseEncoder: ['encoder'],
  textClassifier: ['textClassifier', 'encoder'],
};

/** The formats that run as this kind, and those that are converted to one of them. */
function formatsOf(kind: ModelKind): string[] {
  const runs: readonly unknown[] = runsAs[kind] ?? [kind];
  const running = formats.filter((format) => runs.includes(format.runs)).map(({ id }) => id);
  const targets: Readonly<Record<string, readonly string[]>> = conversions;
  const converts = (id: string) =>
    (targets[id] ?? []).some((to) => running.some((of) => of === to));
  return formats
    .filter(({ id }) => running.some((of) => of === id) || converts(id))
    .map(({ label }) => label);
}

function isOf<K extends ModelKind>(
  kinds: readonly K[],
  model: ModelOfKind[ModelKind],
): model is ModelOfKind[K] {
  return (kinds as readonly ModelKind[]).includes(model.kind);
}

/** A model whose vectors an index can have. */
export type IndexModel = Embedder | SparseEncoder;

/** Opens a model of an index. The terminal shows progress and warnings, and stops it, unless `options` say otherwise. */
export async function openIndexModel(
  file: string,
  options: OpenOptions,
  terminal: Terminal,
): Promise<IndexModel> {
  const source = await directorySource(file);
  const kinds = ['encoder', 'words', 'sparseEncoder'] as const;
  return openAs(kinds, file, source, { ...openCall(terminal), ...options });
}

/** Opens a model as a sparse encoder, also where it is one of another kind by itself. */
export async function openSparseEncoder(
  file: string,
  options: OpenOptions,
  terminal: Terminal,
): Promise<SparseEncoder> {
  const source = await directorySource(file);
  const opening = { ...openCall(terminal), ...options, kind: 'sparseEncoder' } as const;
  return openAs(['sparseEncoder'], file, source, opening);
}

/** A model that sorts texts by how well they match a query. */
export type TextRanker = Reranker | Encoder;

/** Opens a reranker, or an encoder with late interaction, for `use`. */
export async function withRanker<T>(
  file: string,
  options: OpenOptions,
  terminal: Terminal,
  use: (model: TextRanker) => Promise<T>,
): Promise<T> {
  const source = await directorySource(file);
  const opening = { ...options, ...openCall(terminal) };
  await using model = await openAs(['reranker', 'encoder'], file, source, opening);
  if (model.kind === 'encoder' && !model.lateInteraction) {
    const message = `${file} holds ${kindNames.encoder} (${model.info.format}); this command needs ${kindNames.reranker}, or a sentence encoder with late interaction.`;
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  return await use(model);
}

/** Opens the model of a new index for `use`, and the sparse encoder beside it. */
export async function withIndexModels<T>(
  file: string,
  sparseFile: string | undefined,
  options: OpenOptions,
  terminal: Terminal,
  use: (model: IndexModel, sparse: SparseEncoder | undefined) => Promise<T>,
): Promise<T> {
  await using model = await openIndexModel(file, options, terminal);
  if (sparseFile === undefined) {
    return await use(model, undefined);
  }
  await using sparse = await openSparseEncoder(sparseFile, options, terminal);
  return await use(model, sparse);
}
