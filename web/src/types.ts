// The public vocabulary of the package: options, results and progress. Plain data only; types/ and
// errors.ts are the only code shared by the page's side and the worker's side.

export type * from './classifier/types.ts';
export type * from './doctor/types.ts';
export type * from './encoder/explain-types.ts';
export type * from './encoder/types.ts';
export type * from './files/convert-types.ts';
export type * from './files/inspect-types.ts';
export type * from './files/quantize-types.ts';
export type * from './files/validate-types.ts';
export type * from './generator/types.ts';
export type * from './model/types.ts';
export type * from './problem.ts';
export type * from './rpc/types.ts';
export type * from './search/types.ts';
export type * from './sources/cache/types.ts';
export type * from './tokenizer/types.ts';
export type * from './words/types.ts';
