// GGUF files of a repository: which belong together, and which one is taken where there are several.
import { partName, siblingName } from '../directory/part-names.ts';
import type { HubFile } from './list-files.ts';

/** Quantized types by the tags in the names of files, the best compromise first. */
const preferredTags = ['Q4_K_M', 'Q4_K_S', 'Q4_0', 'Q5_K_M', 'Q8_0'];
/** A second model that reads pictures, for the language model beside it. */
const projectorPattern = /(^|\/)mmproj[^/]*$/i;

/** One model: a file, or several shards in order. */
export interface GgufModel {
  /** The path of the file or of the first shard. */
  readonly name: string;
  readonly files: readonly HubFile[];
}

export function ggufModels(files: readonly HubFile[]): GgufModel[] {
  const models = new Map<string, HubFile[]>();
  for (const file of files) {
    if (!/\.gguf$/i.test(file.path) || projectorPattern.test(file.path)) {
      continue;
    }
    const name = modelName(file.path);
    models.set(name, [...(models.get(name) ?? []), file]);
  }
  return [...models].map(([name, parts]) => ({
    name,
    files: parts.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }));
}

/** The path of a file, or that of the first shard, which stands for all. */
export function modelName(path: string): string {
  const part = partName(path);
  return part ? siblingName(part, 1) : path;
}

/** The one model of the most preferred type. Undefined if no preferred type has exactly one. */
export function preferredGguf(models: readonly GgufModel[]): GgufModel | undefined {
  for (const tag of preferredTags) {
    const pattern = RegExp(`(^|[^A-Za-z0-9])${tag}([^A-Za-z0-9_]|$)`, 'i');
    const found = models.filter(({ name }) => pattern.test(name));
    if (found.length > 0) {
      return found.length === 1 ? found[0] : undefined;
    }
  }
  return undefined;
}
