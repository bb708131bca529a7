import type { AnyModel, Loader, OutcomeText, PartialSource } from './types.mjs';

/** Models of every kind that the module opens. */
export interface ModelBindings {
  /** `kind` is one of ModelsByKind; `options` are JSON. Fill the loader as a ByteSink, then call `finishLoad`. */
  beginLoad(kind: string, source: PartialSource, options: string): OutcomeText<Loader>;
  finishLoad(loader: Loader): OutcomeText<AnyModel>;
  /** `info` is a FileInfo, with more for some kinds, or the TokenizerInfo of a tokenizer; `weightBytes` are those of heap
   *  that the weights take. */
  modelFacts(model: AnyModel): OutcomeText<{ info: unknown; weightBytes: number }>;
}
