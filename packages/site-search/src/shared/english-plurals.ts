// English plurals that no rule of endings leads to their singular.

/** Plurals, each with its singular after it. */
const pairs =
  'indices index matrices matrix vertices vertex vortices vortex appendices appendix codices codex children child people person men man women woman mice mouse feet foot teeth tooth leaf leaves knives knife shelves shelf halves half wolves wolf analyses analysis hypotheses hypothesis parentheses parenthesis diagnoses diagnosis crises crisis axes axis data datum criteria criterion phenomena phenomenon automata automaton errata erratum spectra spectrum bacteria bacterium corpora corpus radii radius nuclei nucleus foci focus formulae formula schemata schema'.split(
    ' ',
  );
const forms = new Map(pairs.map((form, i) => [form, pairs[i ^ 1] as string]));

/** The singular of such a plural, and the other way around. */
export const otherForm = (word: string): string | undefined => forms.get(word);
