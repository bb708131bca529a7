// The facts of a model file, shortened to what a language model can use.
import type { Inspection, RunReport, TensorInfo } from 'ambry';
import { kindNames } from 'ambry/tables';
import { shownProblem } from '../results/problem.ts';
import { firstMembers, firstOf, type Room, shortName } from '../results/shorten.ts';

const mostMembers = 80;
const mostTensors = 500;
const mostWarnings = 10;
const mostFiles = 50;

/** What the file says of itself. */
export function factsOf(info: Inspection, room: Room): Record<string, unknown> {
  const { format, version, bytes, metadata, config, tokenizer, tensors } = info;
  return {
    format,
    version,
    bytes,
    tensors: summaryOf(tensors),
    tokenizer: tokenizer && { type: tokenizer.type, tokens: tokenizer.size },
    ...membersOf('config', config, room),
    ...membersOf('metadata', metadata, room),
  };
}

/** The first members, and how many others there are. */
function membersOf(name: string, object: Readonly<Record<string, unknown>> | null, room: Room) {
  if (object === null) {
    return {};
  }
  const { shown, leftOut } = firstMembers(object, room, mostMembers);
  return { [name]: shown, ...(leftOut > 0 && { [`${name}LeftOut`]: leftOut }) };
}

function summaryOf(tensors: readonly TensorInfo[]) {
  const types: Record<string, number> = {};
  let values = 0;
  for (const { dtype, shape } of tensors) {
    types[dtype] = (types[dtype] ?? 0) + 1;
    values += shape.reduce((product, size) => product * size, 1);
  }
  return { count: tensors.length, values, types };
}

/** What the file runs as. */
export function runFacts(run: RunReport, room: Room): Record<string, unknown> {
  const { kind, format, converts, memory, obstacle, warnings, files, generator } = run;
  const noted = firstOf(warnings.map(shownProblem), room, mostWarnings);
  const parts = firstOf(
    (files ?? []).map(({ name, bytes }) => ({ name: shortName(name), bytes })),
    room,
    mostFiles,
  );
  return {
    run: {
      runs: obstacle === null,
      kind,
      ...(kind !== null && { what: kindNames[kind] }),
      format,
      converts,
      memory,
      ...(obstacle && { obstacle: shownProblem(obstacle) }),
      ...(noted.shown.length > 0 && { warnings: noted.shown }),
      ...(noted.leftOut > 0 && { warningsLeftOut: noted.leftOut }),
      ...(generator && { chatTemplates: generator.chatTemplates.slice(0, 10).map(nameOf) }),
    },
    ...(files && { files: parts.shown }),
    ...(parts.leftOut > 0 && { filesLeftOut: parts.leftOut }),
  };
}

const nameOf = (name: string): string => shortName(name);

/** A part of the table. `nextFrom` is where the next part begins. */
export function tensorList(
  tensors: readonly TensorInfo[],
  from: number,
  room: Room,
): Record<string, unknown> {
  const rows = tensors
    .slice(from, from + mostTensors)
    .map((tensor) => ({ ...tensor, name: shortName(tensor.name) }));
  const { shown } = firstOf(rows, room, mostTensors);
  const next = from + shown.length;
  return { tensorList: shown, ...(next < tensors.length && { nextFrom: next }) };
}
