// Decides which task of the page takes the given files. What only the headers of a model tell is asked of the package.

import { type Model, runReport } from 'ambry';
import type { PathFile } from '../../shared/files/given-files.ts';
import { type CheckSource, givenSources } from '../../shared/files/given-sources.ts';
import { recognize } from '../../shared/recognize/recognize.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { Task } from '../state/task.ts';
import { type IdentifiedFiles, identifyFiles } from './identify-files.ts';

type Kind = Model['kind'];

/** A model that is no network for pictures, as far as its first bytes and headers tell. */
export interface GivenModel {
  readonly name: string;
  readonly source: CheckSource;
  /** Null if only its reader tells. */
  readonly kind: Kind | null;
}

export type Route =
  | { readonly to: 'pictures'; readonly files: IdentifiedFiles }
  | { readonly to: 'model'; readonly given: GivenModel }
  | { readonly to: 'classifier'; readonly file: File }
  | { readonly to: 'examples'; readonly file: File }
  | { readonly to: 'text'; readonly file: File };

const textName = /\.(txt|text|md|markdown|log)$/i;

/** Null if nothing but the reader tells it. */
export async function kindOf(source: CheckSource, runtime: Runtime): Promise<Kind | null> {
  const report = await runReport(source, runtime).catch(() => null);
  return report?.kind ?? null;
}

/** What stands in the way of a graph is said best where graphs run. */
const isGraph = (file: File): boolean => /\.onnx$/i.test(file.name);

/** A file without a plan and labels that is a model by its first bytes. */
async function routeOfModel(file: File, runtime: Runtime): Promise<Route | null> {
  const recognized = await recognize(file);
  if (recognized.learned) {
    return { to: 'classifier', file };
  }
  if (recognized.model === 'imageClassifier' || !/^(model|weights)$/.test(recognized.kind)) {
    return null;
  }
  const kind = await kindOf(file, runtime);
  const isForPictures = kind === 'imageClassifier' || (kind === null && isGraph(file));
  return isForPictures ? null : { to: 'model', given: { name: file.name, source: file, kind } };
}

/** The graph of a folder, whose other files a network for pictures does not need. */
function networkIn(source: CheckSource): IdentifiedFiles | null {
  const weights = source instanceof Map ? [...source.values()].filter(isGraph) : [];
  const others = { plan: null, labels: null, picture: null, examples: null };
  return weights.length === 1 ? { weights, ...others } : null;
}

/** `task` is what the page shows: a text file is a text for some, and names of classes for others. */
export async function routeOf(
  files: readonly PathFile[],
  task: Task,
  runtime: Runtime,
): Promise<Route> {
  const model = givenSources(files).find(({ source }) => source instanceof Map);
  if (model !== undefined) {
    const kind = await kindOf(model.source, runtime);
    const network = kind === 'imageClassifier' ? networkIn(model.source) : null;
    if (network !== null) {
      return { to: 'pictures', files: network };
    }
    return { to: 'model', given: { ...model, kind } };
  }
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0 && textName.test(only.file.name)) {
    if (task === 'labels') {
      return { to: 'examples', file: only.file };
    }
    if (task !== 'picture') {
      return { to: 'text', file: only.file };
    }
  }
  const found = await identifyFiles(files);
  const [weights, ...more] = found.weights;
  const isAlone = more.length === 0 && found.plan === null && found.labels === null;
  if (found.examples !== null && found.picture === null && weights === undefined) {
    return { to: 'examples', file: found.examples };
  }
  const single = weights !== undefined && isAlone ? await routeOfModel(weights, runtime) : null;
  return single ?? { to: 'pictures', files: found };
}
