import type {
  Activations,
  Conversion,
  ConversionFiles,
  ConversionStep,
  OutcomeText,
  PartialSource,
} from './types.mjs';

/** Converting files, and quantizing them where no model has to run for it. */
export interface ConversionBindings {
  createFiles(): OutcomeText<ConversionFiles>;
  addFile(files: ConversionFiles, name: string, bytes: Uint8Array): OutcomeText<null>;
  /** The first is the main file; further ones are the shards that an index among the files names. */
  addWeights(files: ConversionFiles, name: string, source: PartialSource): OutcomeText<null>;
  /** Reads the bytes of SavedActivations of a module that runs the model. */
  readActivations(bytes: Uint8Array): OutcomeText<Activations>;
  /** Reads a file of llama.cpp's llama-imatrix, in either form. */
  readImportance(bytes: Uint8Array): OutcomeText<Activations>;
  /** NeedBytes names a source by its number, `needFile`. `options` is JSON of {to, from, arch, dtype, dim, lossy,
   *  unnormalize, metadata, reconstruct, explicit, select, quantize}; errors of a quantization as adaptive or a K-quant are weighed
   *  by `activations`, 0 for none. */
  beginConversion(
    files: ConversionFiles,
    options: string,
    activations: Activations | 0,
  ): OutcomeText<Conversion>;
  /** What the sources can become, under the same options without `to`. */
  conversionTargets(
    files: ConversionFiles,
    options: string,
  ): OutcomeText<{ from: string; targets: { to: string; problem: unknown }[] }>;
  /** What the target of a conversion with these options will run as. A RunReport has these fields. */
  conversionRun(
    files: ConversionFiles,
    options: string,
  ): OutcomeText<{ memory: unknown; obstacle: unknown; warnings: unknown[] }>;
  /** Which conversion makes a file that runs: the kind of its model, and its format. `kind` is the one that the caller
   *  asks for, or empty. */
  conversionToRun(files: ConversionFiles, kind: string): OutcomeText<{ kind: string; to: string }>;
  /** `from` is the source's format. `totalBytes` are those of the target, an estimate until `bytesToMeasure` of the source have been read;
   *  `warnings`, Problems, say what was left out or guessed. */
  conversionFacts(
    conversion: Conversion,
  ): OutcomeText<{ from: string; totalBytes: number; bytesToMeasure: number; warnings: unknown[] }>;
  /** A ConversionReport, whose errors are all there when the conversion is done; null when there is none. */
  conversionReport(conversion: Conversion): OutcomeText<unknown>;
  /** Does work up to the next read or write. A read must be filled, a write taken, before calling again. */
  nextStep(conversion: Conversion): OutcomeText<ConversionStep>;
}
