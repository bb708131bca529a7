// How many generated strings a run compares. The order of the strings is fixed, so a short run compares the first of them.

/** AMBRY_FUZZ is the share of all strings, 0.04 without it. A release takes 1. */
const share = Number(process.env['AMBRY_FUZZ'] ?? 0.04);
// Anything else would compare no strings, and pass.
if (!(share > 0 && share <= 1)) {
  throw new Error(`AMBRY_FUZZ is ${process.env['AMBRY_FUZZ']}; give a number above 0 and up to 1`);
}

export const fuzzSize = (all: number): number => Math.ceil(all * share);
