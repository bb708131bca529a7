// Fields that a client sent and no schema knows. Schemas of requests leave such fields out, so what the parsed value lacks
// is unknown.
import { optionAdvice } from 'ambry/tables';
import type { z } from 'zod';

/** More are counted, not named. */
const mostNames = 20;

/** The paths of the fields that the parsed value lacks, such as `messages[0].cache_control`. */
export function unknownFields(given: unknown, parsed: unknown): readonly string[] {
  const names: string[] = [];
  collect(given, parsed, '', names);
  return names;
}

function collect(given: unknown, parsed: unknown, path: string, names: string[]): void {
  if (given === parsed || !isObject(given) || !isObject(parsed) || names.length >= mostNames) {
    return;
  }
  for (const key of Object.keys(given)) {
    const place = placeOf(path, key, Array.isArray(given));
    if (Object.hasOwn(parsed, key)) {
      collect(given[key], parsed[key], place, names);
    } else if (names.length < mostNames) {
      names.push(place);
    }
  }
}

function placeOf(path: string, key: string, isItem: boolean): string {
  if (isItem) {
    return `${path}[${key}]`;
  }
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The sentence for a field that the schema of the request does not know, with the one that was meant. */
export function unknownFieldMessage(schema: z.ZodType, place: string): string {
  const parts = place.split(/[.[\]]+/).filter(Boolean);
  const name = parts.pop() ?? '';
  return `There is no field ${name} here.${optionAdvice(name, fieldsAt(schema, parts))}`;
}

type Schema = z.core.$ZodType;

const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** The fields that a value at this place may have. */
function fieldsAt(schema: Schema, path: readonly string[]): string[] {
  const found = path.reduce<readonly Schema[]>(
    (schemas, part) => schemas.flatMap((each) => formsOf(within(each, part))),
    formsOf(schema),
  );
  return found.flatMap((each) => {
    const definition = definitionOf(each);
    return definition.type === 'object' ? Object.keys(definition.shape) : [];
  });
}

/** All schemas of which a value must match one. */
function formsOf(schema: Schema | undefined): readonly Schema[] {
  if (!schema) {
    return [];
  }
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'union':
      return definition.options.flatMap(formsOf);
    case 'optional':
    case 'nullable':
    case 'default':
      return formsOf(definition.innerType);
    case 'pipe':
      return formsOf(definition.in);
    default:
      return [schema];
  }
}

/** The schema of a field or an item. */
function within(schema: Schema, part: string): Schema | undefined {
  const definition = definitionOf(schema);
  if (definition.type === 'array') {
    return definition.element;
  }
  return definition.type === 'object' && Object.hasOwn(definition.shape, part)
    ? definition.shape[part]
    : undefined;
}
