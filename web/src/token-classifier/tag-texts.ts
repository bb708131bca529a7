// Sends texts to the worker, and makes entities of its answers. The numbers of a part of the texts are in memory at a time.
import { AmbryError } from '../base/errors.ts';
import type { Progress } from '../rpc/types.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenHeadCalls, TokenHeadInput } from '../token-head/protocol.ts';
import { spansOfTexts } from './entities.ts';
import type { Span } from './spans.ts';
import type { TagOptions } from './types.ts';

/** A part is full enough for the model's batches, and small enough for memory. */
const mostTexts = 512;
const mostCharacters = 250_000;

/** The spans of each text. */
export async function taggedTexts(
  { channel }: Pick<Connection<TokenHeadCalls>, 'channel'>,
  texts: readonly string[],
  labels: readonly string[],
  options: TagOptions,
): Promise<Span[][]> {
  const { stride, signal, onProgress } = options;
  const settings: TokenHeadInput['settings'] = {
    list: 'texts',
    rows: 'all',
    ...(stride !== undefined && { overlap: stride }),
  };
  const all: Span[][] = [];
  for (const inputs of partsOf(texts)) {
    const done = all.length;
    const report = onProgress && ((progress: Progress) => onProgress(ofAll(progress)));
    const ofAll = ({ loaded, total, ...progress }: Progress): Progress => ({
      ...progress,
      loaded: done + (total > 0 ? Math.floor((inputs.length * loaded) / total) : 0),
      total: texts.length,
    });
    const rows = await channel
      .call('tokenRows', { inputs, settings }, { signal, onProgress: report })
      .catch((error: unknown) => {
        throw atCaller(error, done);
      });
    for (const spans of spansOfTexts(rows, inputs.length, labels, options)) {
      all.push(spans);
    }
  }
  return all;
}

/** The error with the path that the caller knows: a text by its place among all, and the overlap by its option. */
function atCaller(error: unknown, done: number): unknown {
  if (!(error instanceof AmbryError) || error.path === undefined) {
    return error;
  }
  const { code, message, path, byteOffset, cause } = error;
  const own = path
    .replace(/^texts\[(\d+)\]/, (_, i: string) => `texts[${done + Number(i)}]`)
    .replace(/^options\.overlap$/, 'options.stride');
  return own === path ? error : new AmbryError(code, message, { path: own, byteOffset, cause });
}

function* partsOf(texts: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (
      part.length === mostTexts ||
      (part.length > 0 && characters + text.length > mostCharacters)
    ) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(text);
    characters += text.length;
  }
  if (part.length > 0) {
    yield part;
  }
}
