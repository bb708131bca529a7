import type { OutcomeText, PartialSource } from './types.mjs';

/** What only ONNX files have: a graph, and tensors in other files. */
export interface OnnxBindings {
  /** An OnnxGraph. */
  onnxGraph(source: PartialSource): OutcomeText<unknown>;
  /** Whether the files that the model names are there and long enough. `files` is JSON of [name, size] of each file beside
   *  the model, by its path from the model's folder. The result are Problems. */
  checkExternalData(source: PartialSource, files: string): OutcomeText<unknown[]>;
}
