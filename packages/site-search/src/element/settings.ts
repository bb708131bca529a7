// The attributes of the element.
import type { SearchMode } from '../client/base/types.ts';
import { hotkeysOf } from './hotkey.ts';
import type { SearchPlace } from './open-search.ts';
import type { SearchStrings } from './strings.ts';

export const attributeNames = [
  'src',
  'site',
  'k',
  'mode',
  'facets',
  'placeholder',
  'hotkey',
  'label',
  'strings',
] as const;

export interface Settings extends SearchPlace {
  readonly k: number;
  readonly mode: SearchMode;
  readonly facets: true | readonly string[] | undefined;
  readonly hotkeys: readonly string[];
  /** What the attributes say, above what the property says. */
  readonly strings: Partial<SearchStrings>;
}

const defaultPages = 10;
/** The most that a search answers. */
export const mostPages = 100;

export function settingsOf(element: Element, defaultSrc: string | undefined): Settings {
  const value = (name: (typeof attributeNames)[number]) => element.getAttribute(name);
  const texts = { label: value('label'), placeholder: value('placeholder') };
  return {
    src: value('src') ?? defaultSrc,
    site: value('site') ?? undefined,
    k: Number(value('k') ?? defaultPages),
    // A mode that is none is refused by the search.
    mode: (value('mode') ?? 'auto') as SearchMode,
    facets: facetsOf(value('facets')),
    hotkeys: hotkeysOf(value('hotkey')),
    strings: {
      ...stringsOf(value('strings')),
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)),
    },
  };
}

/** `*` stands for all filters. */
function facetsOf(attribute: string | null): Settings['facets'] {
  const names = (attribute ?? '').split(/\s+/).filter(Boolean);
  if (names.includes('*')) {
    return true;
  }
  return names.length > 0 ? names : undefined;
}

/** JSON that is none is refused with the first search (`checkAttributes`). */
function stringsOf(attribute: string | null): Partial<SearchStrings> {
  try {
    const strings: unknown = JSON.parse(attribute ?? '{}');
    return typeof strings === 'object' && strings !== null ? strings : {};
  } catch {
    return {};
  }
}
