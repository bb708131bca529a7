// Everything that the element says, in English. A page replaces any of it.

/** By the plural category of a number, as `Intl.PluralRules` names it. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Words in braces are filled in. */
export interface SearchStrings {
  /** The name of the field, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly clear: string;
  /** The name of the list of results. */
  readonly results: string;
  /** The name of the buttons that filter. */
  readonly filters: string;
  /** The name of each filter, where its own name will not do: `{ kind: 'Kind of page' }`. */
  readonly filterNames: Readonly<Record<string, string>>;
  /** `{value}`, `{count}`. What screen readers say of the button of a filter's value. */
  readonly filter: Plural;
  readonly clearFilters: string;
  /** `{count}`: more values of a filter. */
  readonly moreValues: string;
  readonly fewerValues: string;
  readonly moreResults: string;
  readonly searching: string;
  /** `{count}`. */
  readonly pages: Plural;
  /** `{count}`, `{query}`. What screen readers say when there are results. */
  readonly found: Plural;
  /** `{query}`. Stands before the number of pages if a word of the query was corrected. */
  readonly corrected: string;
  /** `{query}`. */
  readonly nothingClose: string;
  readonly nothingCloseHint: string;
  /** `{query}`. No page has the words, and meaning was not asked. */
  /** `{query}`. A button where nothing was found. */
  readonly didYouMean: string;
  readonly noWords: string;
  readonly noWordsHint: string;
  /** `{query}`. No page has the words, and the model is on its way. */
  readonly noWordsYet: string;
  readonly meaningLoading: string;
  /** `{percent}`, `{size}`. */
  readonly meaningProgress: string;
  readonly meaningReady: string;
  readonly meaningFailed: string;
  readonly retry: string;
  readonly reload: string;
  readonly details: string;
  readonly offline: string;
  readonly unreachable: string;
  readonly missing: string;
  readonly stale: string;
  readonly unreadable: string;
  readonly wrongSettings: string;
  readonly failed: string;
  readonly keyMove: string;
  readonly keyOpen: string;
  readonly keyClose: string;
}

export const englishStrings: SearchStrings = {
  label: 'Search this site',
  placeholder: 'Search',
  clear: 'Clear the search',
  results: 'Results',
  filters: 'Filters',
  filterNames: { lang: 'Language' },
  filter: { one: '{value}, {count} page', other: '{value}, {count} pages' },
  clearFilters: 'Clear filters',
  moreValues: '{count} more',
  fewerValues: 'Fewer',
  moreResults: 'Show more results',
  searching: 'Searching…',
  pages: { one: '{count} page', other: '{count} pages' },
  found: { one: '{count} page for {query}', other: '{count} pages for {query}' },
  corrected: 'Results for “{query}”:',
  nothingClose: 'Nothing close to “{query}”',
  nothingCloseHint: 'No page has these words or is near to their meaning. Try other words.',
  didYouMean: 'Did you mean “{query}”?',
  noWords: 'No page has “{query}”',
  noWordsHint: 'Check the spelling, or try other words.',
  noWordsYet: 'The search by meaning is still loading. It may find something.',
  meaningLoading: 'Search by meaning is loading…',
  meaningProgress: 'Loading search by meaning: {percent} of {size}',
  meaningReady: 'By words and meaning',
  meaningFailed: 'By words only: search by meaning did not load.',
  retry: 'Try again',
  reload: 'Load the page again',
  details: 'Details',
  offline: 'You are offline. The search needs the network.',
  unreachable: 'The search cannot be reached now.',
  missing: 'This site has no search index here.',
  stale: 'The site has changed since this page was opened.',
  unreadable: 'The search index cannot be read.',
  wrongSettings: 'The search box is not set up correctly.',
  failed: 'The search has failed.',
  keyMove: 'to move',
  keyOpen: 'to open',
  keyClose: 'to close',
};

/** The strings that are a text, and those that depend on a number. */
type TextKey = {
  [K in keyof SearchStrings]: SearchStrings[K] extends string ? K : never;
}[keyof SearchStrings];
type PluralKey = {
  [K in keyof SearchStrings]: SearchStrings[K] extends Plural ? K : never;
}[keyof SearchStrings];
type Values = Readonly<Record<string, string>>;

/** The strings in the language of the page. */
export class Phrases {
  readonly #strings: SearchStrings;
  readonly #locale: string | undefined;
  /** The names of the strings that the page has given. The others are English, whatever its language. */
  readonly #given: object;

  /** A locale that is none counts as that of the browser. */
  constructor(strings: Partial<SearchStrings>, locale?: string) {
    this.#strings = { ...englishStrings, ...strings };
    this.#locale = isLocale(locale) ? locale : undefined;
    this.#given = strings;
  }

  text(key: TextKey, values: Values = {}): string {
    return filled(this.#strings[key], values);
  }

  /** `{count}` is the number. */
  count(key: PluralKey, count: number, values: Values = {}): string {
    const forms = this.#strings[key];
    const rules = new Intl.PluralRules(key in this.#given ? this.#locale : 'en');
    const form = forms[rules.select(count)] ?? forms.other;
    return filled(form, { ...values, count: this.number(count) });
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.#locale).format(value);
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.#locale, { style: 'percent' }).format(share);
  }

  /** Bytes as megabytes. */
  size(bytes: number): string {
    const form = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#locale, form).format(bytes / 1e6);
  }

  filterName(name: string): string {
    const { filterNames } = this.#strings;
    if (Object.hasOwn(filterNames, name)) {
      return filterNames[name] as string;
    }
    if (name === 'lang') {
      return englishStrings.filterNames['lang'] as string;
    }
    return name.charAt(0).toLocaleUpperCase(this.#locale) + name.slice(1).replaceAll(/[-_]/g, ' ');
  }

  /** A value as it is, and languages by their names. */
  filterValue(name: string, value: string): string {
    if (name !== 'lang') {
      return value;
    }
    try {
      return new Intl.DisplayNames(this.#locale, { type: 'language' }).of(value) ?? value;
    } catch {
      return value;
    }
  }
}

function filled(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function isLocale(locale: string | undefined): locale is string {
  try {
    return locale !== undefined && Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
