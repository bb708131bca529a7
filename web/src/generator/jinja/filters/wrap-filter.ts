// `wordwrap`, which cuts lines as Python's `textwrap` does.
import { fail } from '../base/errors.ts';
import { textArgument, wholeArgument } from '../methods/arguments.ts';
import type { Bound, Machine } from '../methods/machine.ts';
import { linesOf } from '../methods/text-cut.ts';
import { joined } from '../methods/text-pad.ts';
import { charactersOf, isSpace } from '../values/chars.ts';
import { isTrue } from '../values/iterate.ts';
import { Markup, type Value } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';

/** White space that lines are cut at. Other spaces are parts of words. */
const space = '\\t-\\r ';
const word = '\\p{L}\\p{N}_';
const letter = '[\\p{L}\\p{Nl}\\p{No}_]';
const beforeDashes = `(?<=[${word}!"'&.,?])`;
/** White space, dashes between words, and words, which may end at a hyphen between letters or before dashes. */
const chunks = new RegExp(
  `[${space}]+|${beforeDashes}-{2,}(?=[${word}])|[^${space}]+?(?:` +
    `-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})` +
    `|(?=[${space}]|$)|${beforeDashes}(?=-{2,}[${word}]))`,
  'gu',
);
const words = new RegExp(`[${space}]+|[^${space}]+`, 'gu');

interface Wrapping {
  readonly width: number;
  /** Whether words that are longer than a line are cut. */
  readonly cutsWords: boolean;
  readonly cutsAtHyphens: boolean;
}

type Chunk = readonly string[];

const isBlank = (chunk: Chunk | undefined): boolean => chunk?.every(isSpace) ?? false;

function wrapped(line: string, wrapping: Wrapping, pattern: RegExp, { budget }: Machine): string[] {
  budget.takeItems(line.length);
  const left = (line.match(pattern) ?? []).map(charactersOf).reverse();
  const lines: string[] = [];
  while (left.length > 0) {
    budget.takeItems(1);
    if (lines.length > 0 && isBlank(left.at(-1))) {
      left.pop();
    }
    const parts = nextLine(left, wrapping, budget);
    if (isBlank(parts.at(-1))) {
      parts.pop();
    }
    if (parts.length > 0) {
      lines.push(parts.flat().join(''));
    }
  }
  return lines;
}

/** Takes the chunks of a line from the end of `left`. */
function nextLine(left: Chunk[], wrapping: Wrapping, budget: Machine['budget']): Chunk[] {
  const parts: Chunk[] = [];
  let room = wrapping.width;
  for (let chunk = left.at(-1); chunk && chunk.length <= room; chunk = left.at(-1)) {
    room -= chunk.length;
    parts.push(chunk);
    left.pop();
  }
  const long = left.at(-1);
  if (long && long.length > wrapping.width) {
    if (wrapping.cutsWords) {
      budget.work(long.length);
      const end = wrapping.cutsAtHyphens ? endInWord(long, room) : room;
      parts.push(long.slice(0, end));
      left[left.length - 1] = long.slice(end);
    } else if (parts.length === 0) {
      parts.push(long);
      left.pop();
    }
  }
  return parts;
}

/** After the last hyphen that follows something else, or where the room ends. */
function endInWord(chunk: Chunk, room: number): number {
  const hyphen = chunk.slice(0, room).lastIndexOf('-');
  return chunk.slice(0, Math.max(0, hyphen)).some((character) => character !== '-')
    ? hyphen + 1
    : room;
}

function wordWrap(value: Value, args: Bound, machine: Machine): Value {
  const [width = 79n, cutsWords = true, between = null, atHyphens = true] = args;
  if (between instanceof Markup) {
    fail('line breaks of markup are not supported');
  }
  const flags = { cutsWords: isTrue(cutsWords), cutsAtHyphens: isTrue(atHyphens) };
  const lines = linesOf(textArgument(value), false, machine).map((line) => {
    const wrapping = { width: wholeArgument(width), ...flags };
    if (wrapping.width <= 0) {
      fail(`invalid width ${wrapping.width} (must be > 0)`);
    }
    // What is true and not `True` cuts words alone.
    return wrapped(line, wrapping, atHyphens === true ? chunks : words, machine);
  });
  const separator = between === null ? '\n' : textArgument(between);
  return joined(
    separator,
    lines.map((parts) => joined(separator, parts, machine)),
    machine,
  );
}

export const wrapFilters: Filters = {
  wordwrap: filter('width? break_long_words? wrapstring? break_on_hyphens?', wordWrap),
};
