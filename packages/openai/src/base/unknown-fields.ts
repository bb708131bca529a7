// Fields that a client sent and no schema knows. Schemas of requests leave such fields out, so what the parsed value lacks
// is unknown.

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
