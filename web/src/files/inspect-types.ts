// What `inspect` says of a file.
import type { FileInfo } from '../model/file-info.ts';

/** One part of the file. `section`: what its name says (`header`, `metadata`, …); `tensor`: the bytes of
 *  the tensor of this name; `padding`: the few bytes before something aligned; `unclaimed`: a longer
 *  run of bytes that nothing in the file points to. The last two have the name ''. */
export interface FileRegion {
  readonly kind: 'section' | 'tensor' | 'padding' | 'unclaimed';
  readonly name: string;
  /** Absolute byte offset in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes of memory that running the model takes, estimated: weights, vocabulary and working space. */
export interface MemoryEstimate {
  /** With the weights as `open` holds them by default. */
  readonly asStored: number;
  /** With `{weights: 'int8'}`. */
  readonly int8: number;
}

/** What `inspect` says of a file. */
export interface Inspection extends FileInfo {
  /** The whole file in order of offset. In a sound file the regions follow one another from byte 0 to
   *  the last; in a damaged one they may overlap or pass the end. Empty parts are left out. */
  readonly regions: readonly FileRegion[];
  /** Null when the file holds no model that can run. */
  readonly memory: MemoryEstimate | null;
  /** The metadata as TOML text, whose numbers keep their types (1.0 is not 1); '' when there are none. */
  readonly metadataToml: string;
}
