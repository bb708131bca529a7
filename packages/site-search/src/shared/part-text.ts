// What a text file of the index holds: a part of a page, with its passages. A short page has one part.
import { AmbryError } from 'ambry/static-encoder';

export interface PartSection {
  /** The id of the heading in the page; empty for the text before the first heading. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** `[start, end)` of the text of a section. */
export type PassagePlace = readonly [section: number, start: number, end: number];

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

/** A text file, as JSON. The group and the place say that it is the file that was asked for. */
export interface StoredPart extends PartText {
  readonly group: string;
  readonly place: number;
}

/** Checks what came from a server. */
export function parsePart(json: string, path: string): StoredPart {
  const bad = (field: string) => {
    const message = `${path} is no text of a site index: ${field} is wrong.`;
    return new AmbryError('BadValue', message, { path: `${path}, ${field}` });
  };
  let part: StoredPart;
  try {
    part = JSON.parse(json) as StoredPart;
  } catch {
    throw bad('the JSON');
  }
  const { group, url, title, language, description = '' } = Object(part) as StoredPart;
  for (const [field, value] of Object.entries({ group, url, title, language, description })) {
    if (typeof value !== 'string') throw bad(field);
  }
  if (!isList(part.sections, isSection)) throw bad('sections');
  const isPlace = (value: unknown) => isPassage(value, part.sections);
  if (!isList(part.passages, isPlace)) throw bad('passages');
  const filters: unknown = part.filters;
  if (typeof filters !== 'object' || filters === null) throw bad('filters');
  if (!Object.values(filters).every((values) => isList(values, isText))) throw bad('filters');
  return part;
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
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isSafeInteger))
    return false;
  const [section, start, end] = value as [number, number, number];
  const length = sections[section]?.text.length ?? -1;
  return 0 <= start && start <= end && end <= length;
}
