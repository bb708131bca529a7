// Finds the files of a model directory on this machine. Loaded with the first conversion.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WireSource } from '../sources/wire.ts';
import { otherWeights, shardIndex, shardPattern, sideFiles, weights } from './directory.ts';

/** The files by their relative paths. */
type LocalDirectory = ReadonlyMap<string, { readonly path: string }>;

/** The directory, or the files beside the named file. Undefined for a file without companions. */
export function directoryAt(source: WireSource): LocalDirectory | undefined {
  if (source.kind !== 'path') return undefined;
  const path = source.path;
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const besideWeights =
    path.endsWith('.safetensors') && existsSync(join(dirname(path), 'config.json'));
  if (!isDirectory && !besideWeights) return checkpointAt(path);
  const folder = isDirectory ? path : dirname(path);
  const files = new Map<string, { path: string }>();
  const known = [...sideFiles, ...Object.keys(otherWeights), weights, shardIndex];
  for (const name of known) {
    const file = join(folder, name);
    if (existsSync(file)) files.set(name, { path: file });
  }
  if (files.has(shardIndex) && !files.has(weights)) {
    const shards = readdirSync(folder).filter((name) => shardPattern.test(name));
    for (const name of shards) files.set(name, { path: join(folder, name) });
  } else if (!isDirectory) {
    files.set(weights, { path });
  }
  return files;
}

/** A checkpoint of llama2.c and its tokenizer in the same directory. */
function checkpointAt(path: string): LocalDirectory | undefined {
  const folder = dirname(path);
  if (!path.endsWith('.bin') || !existsSync(folder)) return undefined;
  const own = basename(path);
  const tokenizer = readdirSync(folder).find(
    (name) => name !== own && /^tok(enizer|\d+)\.bin$/.test(name),
  );
  if (tokenizer === undefined) return undefined;
  return new Map([
    [own, { path }],
    ['tokenizer.bin', { path: join(folder, tokenizer) }],
  ]);
}
