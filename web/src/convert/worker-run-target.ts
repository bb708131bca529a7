// What a source is converted to so that it runs. The core judges it by the small files and the heads of the weights.
import { AmbryError } from '../base/errors.ts';
import type { RunKind } from '../model/kind.ts';
import { convertedFormats } from '../model/opening.ts';
import type { SideFile } from '../sources/directory/model-files.ts';
import type { FormatId } from '../wasm/tables.ts';
import type { Inputs } from './worker-convert-job.ts';

export interface RunTarget {
  readonly kind: RunKind;
  readonly to: FormatId;
}

const config: SideFile = 'config.json';
/** The order in which the kinds are tried, for a directory and for a file. */
const directoryKinds: readonly RunKind[] = ['encoder', 'generator'];
const fileKinds: readonly RunKind[] = ['words', 'generator', 'encoder', 'classifier'];

/** The first kind for which `attempt` accepts the conversion to its format. If there is none, it throws the error that
 *  says the most. */
export async function runTarget<T>(
  files: Inputs['files'],
  wanted: RunKind | undefined,
  attempt: (to: FormatId) => Promise<T>,
): Promise<RunTarget & { readonly found: T }> {
  const isDirectory = [...files.keys()].some((name) => name.endsWith(config));
  const kinds = kindsOf(files, wanted, isDirectory);
  const refusals: AmbryError[] = [];
  for (const kind of kinds) {
    const to = convertedFormats[kind];
    if (!to) {
      throw noTarget(kind);
    }
    try {
      return { kind, to, found: await attempt(to) };
    } catch (error) {
      // Where the format is unknown, it is so for every target.
      if (!(error instanceof AmbryError) || error.code === 'BadMagic') {
        throw error;
      }
      refusals.push(error);
    }
  }
  throw bestOf(refusals, isDirectory);
}

/** A language model that makes embeddings is an encoder that runs as a generator does. */
function kindsOf(
  files: Inputs['files'],
  wanted: RunKind | undefined,
  isDirectory: boolean,
): readonly RunKind[] {
  const modules: SideFile = 'modules.json';
  const embeds = wanted === 'encoder' && [...files.keys()].some((name) => name.endsWith(modules));
  if (wanted && !embeds) {
    return [wanted];
  }
  return isDirectory ? directoryKinds : fileKinds;
}

function noTarget(kind: RunKind): AmbryError {
  const message = `Nothing can be converted to a model of kind ${kind}.`;
  return new AmbryError('Unsupported', message, { path: 'options.kind' });
}

function bestOf(refusals: readonly AmbryError[], isDirectory: boolean): AmbryError {
  const possible = refusals.filter(({ path }) => path !== 'options.to');
  const ofThisKind = possible.find(({ path = '' }) => !saysKind(path)) ?? possible[0];
  if (ofThisKind?.path === config && ofThisKind.code === 'NotFound' && !isDirectory) {
    const message =
      'The weights alone do not say what the model is. Open their directory, which has config.json and the tokenizer.';
    return new AmbryError('NotFound', message, { path: config });
  }
  return ofThisKind ?? (refusals[0] as AmbryError);
}

/** Whether the error says that the model is of another kind. */
const saysKind = (path: string) => /(^|\/)config\.json\.(model_type|architectures)/.test(path);
