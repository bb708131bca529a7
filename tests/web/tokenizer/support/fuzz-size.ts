// How many generated strings a run compares. The order of the strings is fixed, so a short run compares the first of them.

/** A fifth of `all`; all of them with AMBRY_FUZZ=all, as before a release. */
export const fuzzSize = (all: number): number =>
  process.env['AMBRY_FUZZ'] === 'all' ? all : Math.ceil(all / 5);
