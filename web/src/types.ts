// The public vocabulary of the package: options, results and progress. Plain data only; types/ and
// errors.ts are the only code shared by the page's side and the worker's side.
export type * from './types/cache.ts';
export type * from './types/classify.ts';
export type * from './types/convert.ts';
export type * from './types/doctor.ts';
export type * from './types/embed.ts';
export type * from './types/explain.ts';
export type * from './types/generate.ts';
export type * from './types/inspect.ts';
export type * from './types/job.ts';
export type * from './types/open.ts';
export type * from './types/problem.ts';
export type * from './types/quantize.ts';
export type * from './types/search.ts';
export type * from './types/tokenize.ts';
export type * from './types/validate.ts';
export type * from './types/words.ts';
