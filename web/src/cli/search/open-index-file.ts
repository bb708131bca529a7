// Opens an index file with the model that it names.
import type { JobOptions, OpenOptions } from '../../entries/types.ts';
import type { SearchIndex } from '../../index.ts';
import { openIndex } from '../../node.ts';
import type { Fetching } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { modelSource } from '../shared/input.ts';
import { resolveReference } from '../shared/model-reference.ts';
import { type Embedder, openEmbedder } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';
import { noteOtherNumbers } from './note-other-numbers.ts';

/** An index and its model. Both end with it. */
export interface OpenedIndexFile extends AsyncDisposable {
  readonly index: SearchIndex;
  readonly model: Embedder;
}

/** `given` is the model in place of the one that the index names, which the option `named` gives. `options` are for the model,
 *  too. */
export async function openIndexFile(
  file: string,
  given: string | undefined,
  options: Fetching & Pick<OpenOptions, 'weights' | 'deterministic'> & JobOptions,
  terminal: Terminal,
  named = '--model',
): Promise<OpenedIndexFile> {
  const { weights, deterministic, ...fetching } = options;
  let model: Embedder | undefined;
  const openModel = async ({ reference }: { readonly reference: string | null }) => {
    model = await openEmbedder(given ?? modelOf(reference, file, named), options, terminal);
    return model;
  };
  try {
    const source = await modelSource(file);
    const { signal } = terminal;
    const index = await openIndex(source, { signal, ...fetching, model: openModel });
    noteOtherNumbers(index, terminal);
    return opened(index, model as unknown as Embedder);
  } catch (error) {
    await model?.dispose();
    throw error;
  }
}

function opened(index: SearchIndex, model: Embedder): OpenedIndexFile {
  return {
    index,
    model,
    [Symbol.asyncDispose]: async () => {
      await index.dispose();
      await model.dispose();
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
