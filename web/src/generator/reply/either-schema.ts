// One JSON Schema for what keeps to one of two. References in a schema lead from its root, so they change with its place.

export function eitherSchema(first: object | boolean, second: object | boolean): object {
  return {
    anyOf: [{ $ref: '#/$defs/first' }, { $ref: '#/$defs/second' }],
    $defs: { first: moved(first, '#/$defs/first'), second: moved(second, '#/$defs/second') },
  };
}

/** Words whose values are data and no schemas. */
const data = new Set(['const', 'enum', 'default', 'examples']);
/** Words whose values have schemas by names, which are no words. */
const named = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** The schema as it is at another place. */
function moved(schema: unknown, place: string): unknown {
  return mapped(schema, (word, value) => {
    if (word === '$ref' && typeof value === 'string' && value.startsWith('#')) {
      return place + value.slice(1);
    }
    if (data.has(word)) {
      return value;
    }
    return named.has(word) ? mapped(value, (_, item) => moved(item, place)) : moved(value, place);
  });
}

function mapped(value: unknown, map: (name: string, item: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => map('', item));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, map(name, item)]));
}
