import { AmbryError, type Doc } from 'ambry';
import { z } from 'zod';
import { exactObject } from '../options/check-options.ts';
import { cutText, Room, shortName } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { nameArgument, named } from './named.ts';
import { fieldsOf, type ShownPassage, shownId } from './passage.ts';
import { defineTool, type Tool } from './tool.ts';

const mostNeighbours = 20;
/** Room for the fields of the passage itself. */
const forFields = 500;

export function readPassage({ indexes, settings }: Service): Tool {
  const neighbours = (where: string) =>
    z
      .int()
      .min(0)
      .max(mostNeighbours)
      .default(0)
      .describe(`How many passages of the same document ${where} it are shown, too.`);
  return defineTool({
    name: 'read_passage',
    title: 'Read a passage',
    description:
      'Shows the whole text of a passage that search_index found, with those before and after it in the same document.',
    input: exactObject(
      {
        index: nameArgument([...indexes.keys()], 'index'),
        id: z.union([z.string(), z.number()]).describe('The id that search_index gave.'),
        before: neighbours('before'),
        after: neighbours('after'),
        from: z
          .int()
          .min(0)
          .default(0)
          .describe('Where the text begins, in characters. Goes on with a text that was cut.'),
      },
      'argument',
    ),
    run: ({ index: name, id, before, after, from }, call) =>
      named(indexes, name, 'index').use(call, async ({ docs }) => {
        const at = placeOf(docs, id);
        const range = { at, from, before, after };
        return { index: name, ...shownPassages(docs, range, settings.maxResult) };
      }),
  });
}

/** A passage without an id of its own has its place in the index as id. */
const idOf = (doc: Doc, at: number): string | number => doc.id ?? at;

/** Clients write numbers as texts, and hidden characters as they were shown. */
function placeOf(docs: readonly Doc[], id: string | number): number {
  const tests: readonly ((own: string | number) => boolean)[] = [
    (own) => own === id,
    (own) => String(own) === String(id),
    (own) => String(shownId(own)) === String(id),
  ];
  for (const isSame of tests) {
    const at = docs.findIndex((doc, place) => isSame(idOf(doc, place)));
    if (at >= 0) {
      return at;
    }
  }
  throw new AmbryError('NotFound', `There is no passage ${shortName(String(id))}.`, { path: 'id' });
}

interface Range {
  readonly at: number;
  /** Where the text of the passage itself begins. */
  readonly from: number;
  readonly before: number;
  readonly after: number;
}

/** The passage, and the neighbours for which there is room, the nearest first. */
function shownPassages(
  docs: readonly Doc[],
  range: Range,
  maxResult: number,
): Record<string, unknown> {
  const { at, from } = range;
  const room = new Room(maxResult);
  const own = ownPassage(docs[at] as Doc, at, from, room);
  room.take(own);
  const shown = new Map<number, ShownPassage>([[at, own]]);
  const near = neighboursOf(docs, range);
  for (const place of near) {
    const passage = shownNeighbour(docs[place] as Doc, place);
    if (!room.take(passage)) {
      break;
    }
    shown.set(place, passage);
  }
  const passages = [...shown].toSorted(([a], [b]) => a - b).map(([, passage]) => passage);
  const leftOut = near.length + 1 - passages.length;
  return { passages, ...(leftOut > 0 && { leftOut }) };
}

/** The places of the passages of the same document around one, the nearest first. */
function neighboursOf(docs: readonly Doc[], { at, before, after }: Range): number[] {
  const places: number[] = [];
  const isSame = (place: number) =>
    docs[place] !== undefined && docs[place].source === docs[at]?.source;
  const ends = [
    { step: -1, most: before, isOpen: true },
    { step: 1, most: after, isOpen: true },
  ];
  for (let distance = 1; distance <= mostNeighbours; distance++) {
    for (const end of ends) {
      const place = at + end.step * distance;
      end.isOpen &&= distance <= end.most && isSame(place);
      if (end.isOpen) {
        places.push(place);
      }
    }
  }
  return places;
}

function ownPassage(doc: Doc, at: number, from: number, room: Room): ShownPassage {
  const { text } = doc;
  const fields = fieldsOf(doc);
  const left = room.left - JSON.stringify(fields).length - forFields;
  const shown = fitting(text.slice(from), Math.max(left, room.left / 2));
  const end = from + shown.length;
  const isCut = end < text.length && shown.length > 0;
  return {
    id: shownId(idOf(doc, at)),
    ...fields,
    text: shown,
    ...(from > 0 && { from }),
    ...(isCut && { cut: true, characters: text.length, nextFrom: end }),
  };
}

/** The beginning that takes no more room as JSON, where some characters are written as several. */
function fitting(text: string, room: number): string {
  let shown = cutText(text, room);
  while (JSON.stringify(shown).length > room) {
    shown = cutText(shown, Math.floor(shown.length * 0.8));
  }
  return shown;
}

function shownNeighbour(doc: Doc, at: number): ShownPassage {
  return { id: shownId(idOf(doc, at)), ...fieldsOf(doc), text: doc.text };
}
