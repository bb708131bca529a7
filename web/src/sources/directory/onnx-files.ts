// The files of models as ONNX: which one of a directory is taken, and where its tensors may lie.

import { isOnnx } from '../base/onnx-name.ts';
import { isSideFile, pickled } from './model-files.ts';
import { isIrrelevant } from './other-files.ts';

/** What repositories append to `model` by the type of the weights, the most exact first. Of the same size, the one that more
 *  programs write comes first. */
const variants = ['', '_fp16', '_quantized', '_int8', '_uint8', '_q4', '_q4f16', '_bnb4'];
/** Folders in which such files lie, by the usual one first. */
const folders = ['onnx/', ''];

/** A model as ONNX, and the files with its tensors, by their paths. */
export interface OnnxFiles {
  readonly model: string;
  readonly data: readonly string[];
}

/** Whether a file has tensors of ONNX files, or is one. */
export function isOfOnnx(path: string): boolean {
  return /\.onnx([._]data([._-]?\d+)?)?$/i.test(path);
}

/** The models by the usual names, in the order in which they are taken; without these the only one. */
export function onnxModels(paths: readonly string[]): OnnxFiles[] {
  const all = paths.filter((path) => isOnnx(path) && folders.includes(folderOf(path)));
  const usual = folders.flatMap((folder) =>
    variants.map((variant) => `${folder}model${variant}.onnx`).filter((name) => all.includes(name)),
  );
  const taken = usual.length > 0 || all.length !== 1 ? usual : all;
  return taken.map((model) => onnxFiles(model, paths));
}

/** The model at this path, and the files beside it that begin with its name; without these, files that have no other use. */
export function onnxFiles(model: string, paths: readonly string[]): OnnxFiles {
  const isData = (path: string) => isOfOnnx(path) && !isOnnx(path) && path.startsWith(model);
  const named = paths.filter(isData);
  const folder = folderOf(model);
  const beside = paths.filter((path) => folderOf(path) === folder && mayBeData(nameInFolder(path)));
  const data = named.length > 0 || beside.length > mostOwnNames ? named : beside;
  return { model, data: data.sort() };
}

/** Older exporters name a file after each tensor. */
const mostOwnNames = 256;

/** Whether a file may have tensors under a name of its own: one without a use and without a common ending. */
function mayBeData(name: string): boolean {
  const isPlain = !/\.(?!\d+$)[^.]*$|^$/.test(name) || /\.(data|bin|pb)$/.test(name);
  return isPlain && !isIrrelevant(name) && !isSideFile(name) && !pickled.test(name);
}

/** Where the small files of the model lie, by the path of its ONNX file: in the folder above `onnx/`, or in its own. */
export function rootsOf(model: string): string[] {
  const folder = folderOf(model);
  return /(^|\/)onnx\/$/.test(folder) ? [folder.replace(/onnx\/$/, ''), folder] : [folder];
}

/** A model names the files of its tensors by their paths from its folder. */
export function nameInFolder(path: string): string {
  return path.slice(folderOf(path).length);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
