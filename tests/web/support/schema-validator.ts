// A validator of JSON Schema for tests: the keywords that answers can keep to, in the plainest way. It knows nothing of
// grammars. Other keywords are an error, so that no test passes because one was overlooked.

type Schema = boolean | Readonly<Record<string, unknown>>;

const annotations = new Set(['$schema', 'title', 'description', 'default', '$defs', 'definitions']);

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: (text) =>
    /^\d+(\.\d+){3}$/.test(text) &&
    text.split('.').every((n) => String(Number(n)) === n && Number(n) < 256),
};

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(+date) && date.toISOString().startsWith(text)
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeOf(value) === type;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Each keyword: whether the value fits. A keyword fits all values of types that it does not speak of. */
const keywords: Readonly<
  Record<
    string,
    (
      value: unknown,
      given: never,
      schema: Readonly<Record<string, unknown>>,
      root: Schema,
    ) => boolean
  >
> = {
  type: (value, types: string | string[]) => [types].flat().some((type) => isOfType(value, type)),
  enum: (value, values: unknown[]) => values.some((one) => same(one, value)),
  const: (value, one: unknown) => same(one, value),
  anyOf: (value, list: Schema[], _, root) => list.some((schema) => isValid(schema, value, root)),
  oneOf: (value, list: Schema[], _, root) =>
    list.filter((schema) => isValid(schema, value, root)).length === 1,
  allOf: (value, list: Schema[], _, root) => list.every((schema) => isValid(schema, value, root)),
  $ref: (value, pointer: string, _, root) => isValid(schemaAt(root, pointer), value, root),
  minLength: (value, least: number) => typeof value !== 'string' || [...value].length >= least,
  maxLength: (value, most: number) => typeof value !== 'string' || [...value].length <= most,
  pattern: (value, regex: string) =>
    typeof value !== 'string' || new RegExp(regex, 'u').test(value),
  format: (value, name: string) =>
    typeof value !== 'string' || (formats[name]?.(value) ?? unknown(name)),
  minimum: (value, bound: number) => typeof value !== 'number' || value >= bound,
  maximum: (value, bound: number) => typeof value !== 'number' || value <= bound,
  exclusiveMinimum: (value, bound: number) => typeof value !== 'number' || value > bound,
  exclusiveMaximum: (value, bound: number) => typeof value !== 'number' || value < bound,
  minItems: (value, least: number) => !Array.isArray(value) || value.length >= least,
  maxItems: (value, most: number) => !Array.isArray(value) || value.length <= most,
  prefixItems: (value, list: Schema[], _, root) =>
    !Array.isArray(value) ||
    list.every((schema, i) => i >= value.length || isValid(schema, value[i], root)),
  items: (value, items: Schema, { prefixItems = [] }, root) =>
    !Array.isArray(value) ||
    value.slice((prefixItems as Schema[]).length).every((item) => isValid(items, item, root)),
  required: (value, names: string[]) =>
    typeOf(value) !== 'object' || names.every((name) => Object.hasOwn(value as object, name)),
  properties: (value, properties: Record<string, Schema>, _, root) =>
    members(value).every(
      ([name, member]) =>
        !Object.hasOwn(properties, name) || isValid(properties[name] ?? true, member, root),
    ),
  additionalProperties: (value, others: Schema, { properties = {} }, root) =>
    members(value).every(
      ([name, member]) =>
        Object.hasOwn(properties as object, name) || isValid(others, member, root),
    ),
};

function members(value: unknown): [string, unknown][] {
  return typeOf(value) === 'object' ? Object.entries(value as object) : [];
}

function unknown(name: string): never {
  throw new Error(`the validator of the tests does not know ${name}`);
}

function schemaAt(root: Schema, pointer: string): Schema {
  let found: unknown = root;
  for (const part of pointer.split('/').slice(1)) found = (found as Record<string, unknown>)[part];
  return found as Schema;
}

export function isValid(schema: Schema, value: unknown, root: Schema = schema): boolean {
  if (typeof schema === 'boolean') return schema;
  return Object.entries(schema).every(([name, given]) => {
    if (annotations.has(name)) return true;
    const check = keywords[name] ?? unknown(name);
    return check(value, given as never, schema, root);
  });
}
