// The result of `inspect`.
import type { FileInfo } from '../model/file-info.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';
import type { OnnxGraph } from './onnx-types.ts';
import type { RunReport } from './run-types.ts';

/** One part of the file. `section`: a part with a name (`header`, `metadata`, …). `tensor`: the bytes of the tensor
 *  of this name. `padding`: a few bytes that align the next part. `unclaimed`: a longer run of bytes that nothing in
 *  the file refers to. The last two have the name ''. */
export interface FileRegion {
  readonly kind: 'section' | 'tensor' | 'padding' | 'unclaimed';
  readonly name: string;
  /** Absolute byte offset in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** The result of `inspect`. */
export interface Inspection extends FileInfo {
  /** All parts of the file in order of offset. In a valid file the regions cover all bytes without gaps. In a damaged
   *  file they may overlap or exceed the file. Empty parts are left out. */
  readonly regions: readonly FileRegion[];
  /** What the file runs as. If it has to be converted, `runReport` says more. */
  readonly run: RunReport;
  /** The metadata as TOML text. It keeps the types of numbers (1.0 is not 1). '' when there is no metadata. */
  readonly metadataToml: string;
  /** The graph of an ONNX file, if it was asked for. */
  readonly graph?: OnnxGraph;
}

export interface InspectOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Also give the graph of an ONNX file. Other files have none. The default is false. */
  readonly graph?: boolean;
}
