// Finds the files of a model directory on this machine. Loaded with the first conversion.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isOnnx } from '../base/onnx-name.ts';
import type { WireSource } from '../base/wire.ts';
import {
  checkpointTokenizer,
  isMainWeights,
  isModuleWeights,
  isOfTokenizer,
  isSideFile,
  type SideFile,
  templateFolder,
  weightForms,
} from './model-files.ts';
import { moduleFolders, mostListBytes as mostBytes } from './module-list.ts';
import { onnxFiles, rootsOf } from './onnx-files.ts';

/** The files by their relative paths. */
type LocalDirectory = ReadonlyMap<string, { readonly path: string } | Uint8Array>;

const modules = 'modules.json' satisfies SideFile;

/** The directory, or the files beside the named file. Undefined for a file without companions. */
export function directoryAt(source: WireSource): LocalDirectory | undefined {
  if (source.kind !== 'path') {
    return undefined;
  }
  const path = source.path;
  if (isOnnx(path)) {
    return besideOnnx(path);
  }
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const folder = isDirectory ? path : dirname(path);
  const form = weightForms.find(
    ({ whole, shard }) => whole === basename(path) || shard.test(basename(path)),
  );
  const besideWeights = form !== undefined && existsSync(join(folder, 'config.json'));
  if (!isDirectory && !besideWeights) {
    return checkpointAt(path);
  }
  const list = readList(folder);
  const files = new Map<string, { path: string }>();
  for (const name of namesIn(folder, moduleFolders(list))) {
    if (isDirectory || isRead(name)) {
      files.set(name, { path: join(folder, name) });
    }
  }
  if (!isDirectory) {
    keepOnly(files, path, form);
  }
  return list ? new Map<string, { path: string } | Uint8Array>(files).set(modules, list) : files;
}

/** The ONNX file with the files of its tensors, and the small files of the model. Undefined without a config.json. */
function besideOnnx(path: string): LocalDirectory | undefined {
  const name = basename(path);
  const folder = dirname(path);
  const root = rootsOf(`${folder}/${name}`).find((root) => existsSync(join(root, 'config.json')));
  if (root === undefined) {
    return undefined;
  }
  const { data } = onnxFiles(name, readdirSync(folder));
  const small = namesIn(root, []).filter((file) => isSideFile(file) || isOfTokenizer(file));
  const files = small.map((file) => [file, { path: join(root, file) }] as const);
  const own = [name, ...data].map((file) => [file, { path: join(folder, file) }] as const);
  return new Map([...files, ...own]);
}

/** The list of modules, if it names folders. */
function readList(folder: string): Uint8Array | undefined {
  const path = join(folder, modules);
  const { size = mostBytes } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const list = size < mostBytes ? new Uint8Array(readFileSync(path)) : undefined;
  return moduleFolders(list).length > 0 ? list : undefined;
}

/** Whether a file may be part of the model. Beside a file that the caller named, other files are none of the model's. */
function isRead(name: string): boolean {
  return (
    isSideFile(name) ||
    isOfTokenizer(name) ||
    isModuleWeights(name) ||
    isMainWeights(name) ||
    weightForms.some(({ shard }) => shard.test(name))
  );
}

/** The files of the folder, and those in the folders of modules. Another folder is named with a slash at its end.
 *  `folders` are those that modules.json names. */
function namesIn(folder: string, folders: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const { name } = entry;
      const inner = statSync(join(folder, name), { throwIfNoEntry: false });
      if (!inner?.isDirectory()) {
        return [name];
      }
      const isModule = name === templateFolder || isSideFile(`${name}/config.json`, folders);
      if (!isModule && name !== 'onnx') {
        return [`${name}/`];
      }
      return readdirSync(join(folder, name)).map((file) => `${name}/${file}`);
    })
    .sort();
}

/** Keeps of the weights only the file that the caller named, or the shards that it is one of. */
function keepOnly(
  files: Map<string, { path: string }>,
  path: string,
  form: (typeof weightForms)[number] | undefined,
): void {
  const name = basename(path);
  const isShard = form !== undefined && name !== form.whole && files.has(form.index);
  for (const { whole, index, shard } of weightForms) {
    for (const other of [...files.keys()]) {
      const isOfThese = isShard && form.shard === shard && (shard.test(other) || other === index);
      const isWeights = other === whole || other === index || shard.test(other);
      if (isWeights && other !== name && !isOfThese) {
        files.delete(other);
      }
    }
  }
  if (form && !isShard) {
    files.delete(name);
    files.set(form.whole, { path });
  }
}

/** A checkpoint of llama2.c and its tokenizer in the same directory. */
function checkpointAt(path: string): LocalDirectory | undefined {
  const folder = dirname(path);
  if (!path.endsWith('.bin') || !existsSync(folder)) {
    return undefined;
  }
  const own = basename(path);
  const tokenizer = readdirSync(folder).find(
    (name) => name !== own && /^tok(enizer|\d+)\.bin$/.test(name),
  );
  if (tokenizer === undefined) {
    return undefined;
  }
  return new Map([
    [own, { path }],
    [checkpointTokenizer, { path: join(folder, tokenizer) }],
  ]);
}
