// The files with weights that an index names. Repositories can have others beside them, such as Mistral's
// `consolidated.safetensors`, which has all weights a second time.
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions } from '../base/types.ts';
import { shardIndex } from '../directory/model-files.ts';
import { filesInIndex } from '../directory/weight-index.ts';
import { smallFile } from '../http/small-file.ts';
import type { HubChoice } from './choose-files.ts';
import type { HubFile } from './list-files.ts';

type Options = JobOptions & Pick<FetchOptions, 'stallTimeout'>;

/** The choice without weights that its index does not name. The index is read only where names do not tell: where the files
 *  are not one series, such as `model-00001-of-00002.safetensors` and the rest of it. */
export async function namedByIndex(choice: HubChoice, options: Options): Promise<HubChoice> {
  const index = choice.files.get(shardIndex);
  const { weights } = choice;
  if (!index || weights.length < 2 || isOneSeries(weights)) {
    return choice;
  }
  const named = filesInIndex(await smallFile(placeOf(index), mostBytes, options));
  const needed = weights.filter((name) => named?.has(name));
  if (needed.length === 0) {
    return choice; // who reads the index says what is wrong with it
  }
  const others = weights.filter((name) => !needed.includes(name));
  const files = new Map([...choice.files].filter(([name]) => !others.includes(name)));
  return { ...choice, files, weights: needed };
}

function isOneSeries(names: readonly string[]): boolean {
  const series = names.map((name) => /^(.+-)\d+(-of-\d+\.\w+)$/.exec(name)?.slice(1).join('*'));
  return series[0] !== undefined && series.every((each) => each === series[0]);
}

/** An index lists each tensor. */
const mostBytes = 64 << 20;

export const placeOf = ({ path, url }: HubFile) => ({ name: path, url: url.href, hub: url.hub });
