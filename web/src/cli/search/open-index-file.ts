// Opens an index file with the model that it names.
import type { IndexedModel, JobOptions, OpenOptions } from '../../entries/types.ts';
import type { SearchIndex, SparseEncoder } from '../../index.ts';
import { openIndex } from '../../node.ts';
import type { Fetching } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { modelSource } from '../shared/input.ts';
import { resolveReference } from '../shared/model-reference.ts';
import { type IndexModel, openIndexModel, openSparseEncoder } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';
import { noteOtherNumbers } from './note-other-numbers.ts';

/** An index and its model. Both end with it, and so does the sparse encoder of an index that has one beside its model. */
export interface OpenedIndexFile extends AsyncDisposable {
  readonly index: SearchIndex;
  readonly model: IndexModel;
}

/** `given` is the model in place of the one that the index names, which the option `named` gives, and `givenSparse` the sparse
 *  encoder beside it. `options` are for the models, too. */
export async function openIndexFile(
  file: string,
  given: string | undefined,
  options: Fetching & Pick<OpenOptions, 'weights' | 'deterministic'> & JobOptions,
  terminal: Terminal,
  named = '--model',
  givenSparse?: string,
): Promise<OpenedIndexFile> {
  const { weights, deterministic, ...fetching } = options;
  let model: IndexModel | undefined;
  let beside: SparseEncoder | undefined;
  const openModel = async ({ reference, kind }: IndexedModel) => {
    const place = given ?? modelOf(reference, file, named);
    model = await openIndexModel(place, { ...options, ...(kind && { kind }) }, terminal);
    return model;
  };
  const sparse = async ({ reference }: IndexedModel) => {
    const place = givenSparse ?? modelOf(reference, file, '--sparse');
    beside = await openSparseEncoder(place, options, terminal);
    return beside;
  };
  try {
    const source = await modelSource(file);
    const { signal } = terminal;
    const index = await openIndex(source, { signal, ...fetching, model: openModel, sparse });
    noteOtherNumbers(index, terminal);
    return opened(index, model as unknown as IndexModel, beside);
  } catch (error) {
    await model?.dispose();
    await beside?.dispose();
    throw error;
  }
}

function opened(
  index: SearchIndex,
  model: IndexModel,
  beside: SparseEncoder | undefined,
): OpenedIndexFile {
  return {
    index,
    model,
    [Symbol.asyncDispose]: async () => {
      await index.dispose();
      await model.dispose();
      await beside?.dispose();
    },
  };
}

/** The model that the index refers to. */
function modelOf(reference: string | null, indexFile: string, named: string): string {
  if (reference === null) {
    throw new UsageError(`The index does not name its model. Use ${named} MODEL.`, named);
  }
  return resolveReference(reference, indexFile);
}
