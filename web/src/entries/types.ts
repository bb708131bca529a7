// The public types of the package: options, results and progress. They are plain data.

export type * from '../base/problem.ts';
export type * from '../classification-head/types.ts';
export type * from '../convert/convert-types.ts';
export type * from '../convert/quantize-types.ts';
export type * from '../distill/types.ts';
export type * from '../doctor/types.ts';
export type * from '../inspect/inspect-types.ts';
export type * from '../inspect/run-types.ts';
export type * from '../inspect/validate-types.ts';
export type * from '../late-interaction/types.ts';
export type * from '../model/adapter-types.ts';
export type * from '../model/classify-types.ts';
export type * from '../model/embed-types.ts';
export type * from '../model/file-info.ts';
export type { ModelKind } from '../model/kind.ts';
export type * from '../model/model-facts.ts';
export type * from '../model/types.ts';
export type { Pixels, RuntimeOptions } from '../platform/types.ts';
export type * from '../rpc/types.ts';
export type * from '../search/base/types.ts';
export type * from '../search/vectors/types.ts';
export type * from '../sources/base/types.ts';
export type * from '../sources/cache/types.ts';
export type * from '../text-classifier/trained/types.ts';
export type { OffsetUnit } from '../token-head/offsets.ts';
export type * from '../tokenizer/types.ts';
export type * from './built/kinds/types.ts';
