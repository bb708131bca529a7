// What a text file of the index holds: parts of pages, with their passages. A short page has one part.
import { AmbryError } from 'ambry/terms';

export interface PartSection {
  /** The id of the heading in the page; empty for the text before the first heading. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** `[start, end)` of the text of a section. */
type PassagePlace = readonly [section: number, start: number, end: number];

export interface PartText {
  /** The address of the page, below the site's. */
  readonly url: string;
  readonly title: string;
  readonly language: string;
  readonly description?: string;
  readonly sections: readonly PartSection[];
  readonly passages: readonly PassagePlace[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** What is embedded of a passage for the order of results: its text below the nearest heading. */
export function passageText(title: string, { heading, text }: PartSection, place: PassagePlace) {
  const [, start, end] = place;
  const name = heading || title;
  return name === '' ? text.slice(start, end) : `${name}: ${text.slice(start, end)}`;
}

/** What is embedded of a part: all its passages, and each heading once. */
export function embeddedText({ title, sections, passages }: PartText): string {
  return passages
    .map((place, i) => {
      const section = sections[place[0]] as PartSection;
      const isNext = passages[i - 1]?.[0] === place[0];
      return isNext ? section.text.slice(place[1], place[2]) : passageText(title, section, place);
    })
    .join('\n');
}

/** Checks the text of a part that came from a server. */
export function parsePart(json: string, path: string): PartText {
  let part: unknown;
  try {
    part = JSON.parse(json);
  } catch {
    throw bad('the JSON', path);
  }
  const field = wrongField(part);
  if (field) {
    throw bad(field, path);
  }
  return part as PartText;
}

function bad(field: string, path: string): AmbryError {
  const message = `${path} is no text of a site index: ${field} is wrong.`;
  return new AmbryError('BadValue', message, { path: `${path}, ${field}` });
}

function wrongField(given: unknown): string | undefined {
  const part = Object(given) as PartText;
  const { url, title, language, description = '' } = part;
  for (const [field, value] of Object.entries({ url, title, language, description })) {
    if (typeof value !== 'string') {
      return field;
    }
  }
  if (!isList(part.sections, isSection)) {
    return 'sections';
  }
  const isPlace = (value: unknown) => isPassage(value, part.sections);
  if (!isList(part.passages, isPlace)) {
    return 'passages';
  }
  const filters: unknown = part.filters;
  const isObject = typeof filters === 'object' && filters !== null;
  const isGood = isObject && Object.values(filters).every((values) => isList(values, isText));
  return isGood ? undefined : 'filters';
}

const isText = (value: unknown): boolean => typeof value === 'string';

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isSection(value: unknown): boolean {
  const { anchor, heading, text } = Object(value) as Record<string, unknown>;
  return [anchor, heading, text].every(isText);
}

function isPassage(value: unknown, sections: readonly PartSection[]): boolean {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isSafeInteger)) {
    return false;
  }
  const [section, start, end] = value as [number, number, number];
  const length = sections[section]?.text.length ?? -1;
  return 0 <= start && start <= end && end <= length;
}
