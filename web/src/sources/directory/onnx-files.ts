// The files of models as ONNX: which one of a directory is taken, and where its tensors may lie.

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

export function isOnnx(path: string): boolean {
  return /\.onnx$/i.test(path);
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

/** The model at this path, and the files beside it that begin with its name. */
export function onnxFiles(model: string, paths: readonly string[]): OnnxFiles {
  const isData = (path: string) => isOfOnnx(path) && !isOnnx(path) && path.startsWith(model);
  return { model, data: paths.filter(isData).sort() };
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
