// Schemas of values of one kind each, as tools write them. Their own files were made with zod 4.6, zod 3 with zod-to-json-schema 3.25,
// pydantic 2, TypeBox 0.34 and Valibot's converter, and read; these say the same in our words.

const safeIntegers = { minimum: -9007199254740991, maximum: 9007199254740991 };
const literals = {
  anyOf: [
    { const: 'a', type: 'string' },
    { const: 'b', type: 'string' },
  ],
};
const hex = '[0-9a-fA-F]';

/** The schemas of the values, by the tool and what the value is there. */
export const toolValues: Readonly<Record<string, object>> = {
  'zod: int': { type: 'integer', ...safeIntegers },
  'zod: positive int': { type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 },
  'zod: int32': { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  'zod: float32': {
    type: 'number',
    minimum: -3.4028234663852886e38,
    maximum: 3.4028234663852886e38,
  },
  'zod: positive': { type: 'number', exclusiveMinimum: 0 },
  'zod: multiple of 0.5': { type: 'number', multipleOf: 0.5 },
  'zod: multiple of 5 in a range': { type: 'integer', multipleOf: 5, minimum: 3, maximum: 100 },
  'zod: email': {
    type: 'string',
    format: 'email',
    maxLength: 30,
    pattern:
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  },
  'zod: uuid': {
    type: 'string',
    format: 'uuid',
    pattern: `^(${hex}{8}-${hex}{4}-[1-8]${hex}{3}-[89abAB]${hex}{3}-${hex}{12})$`,
  },
  'zod: url': { type: 'string', format: 'uri' },
  'zod: date': { type: 'string', format: 'date', pattern: '^\\d{4}-(0[1-9]|1[0-2])-[0-3]\\d$' },
  'zod: datetime': { type: 'string', format: 'date-time', pattern: '^[^a-z]*T[\\d:.]*Z$' },
  'zod: min and regex': { type: 'string', minLength: 1, pattern: '^[a-z]+$' },
  'zod: two regexes': { type: 'string', allOf: [{ pattern: '^[a-z]+$' }, { pattern: 'b' }] },
  'zod: starts with': { type: 'string', format: 'starts_with', pattern: '^x.*' },
  'zod: base64': {
    type: 'string',
    format: 'base64',
    contentEncoding: 'base64',
    pattern: '^$|^(?:[0-9a-zA-Z+/]{4})+$',
  },
  'zod: record': {
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: { type: 'number' },
  },
  'zod: record of an enum': {
    type: 'object',
    propertyNames: { type: 'string', enum: ['a', 'b'] },
    additionalProperties: { type: 'integer', ...safeIntegers },
    required: ['a', 'b'],
  },
  'zod: record by regex': {
    type: 'object',
    propertyNames: { pattern: '^k_' },
    additionalProperties: { type: 'boolean' },
  },
  'zod: nullable': { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  'zod: default': { default: 3, type: 'integer', minimum: 0, maximum: 9 },
  'zod: discriminated union': {
    oneOf: [
      {
        type: 'object',
        properties: { t: { type: 'string', const: 'a' }, n: { type: 'integer' } },
        required: ['t', 'n'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { t: { type: 'string', const: 'b' } },
        required: ['t'],
        additionalProperties: false,
      },
    ],
  },
  'zod: intersection': {
    allOf: [
      { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] },
    ],
  },
  'zod 3: exclusive bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5 },
  'zod 3: set of an enum': {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: ['a', 'b', 'c'] },
  },
  'zod 3: any': {},
  'pydantic: optional': {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    default: null,
    title: 'Count',
  },
  'pydantic: constrained': {
    type: 'string',
    title: 'Code',
    minLength: 2,
    maxLength: 5,
    pattern: '^[A-Z]+$',
  },
  'pydantic: decimal': {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: '^\\d{1,3}$' },
    ],
  },
  'typebox: union of literals': literals,
  'typebox: set': { type: 'array', uniqueItems: true, items: literals },
  'typebox: record': { type: 'object', patternProperties: { '^(.*)$': { type: 'integer' } } },
  'typebox: intersection': {
    type: 'object',
    allOf: [
      { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'boolean' } } },
    ],
    unevaluatedProperties: false,
  },
  'typebox: not': { type: ['integer', 'boolean'], not: { const: 5 } },
  'typebox: contains': {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: 9 },
    contains: { minimum: 5 },
    maxItems: 4,
  },
  'valibot: entries': {
    type: 'object',
    additionalProperties: { type: 'null' },
    minProperties: 1,
    maxProperties: 3,
  },
  'valibot: loose tuple': {
    type: 'array',
    items: [{ type: 'boolean' }],
    additionalItems: { type: 'integer' },
  },
  'openapi: nullable': { type: 'boolean', nullable: true },
  'openapi: int32': { type: 'integer', format: 'int32', example: 5, 'x-order': 1 },
  'openapi: one of two groups': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'boolean' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'json schema: condition': {
    type: 'object',
    properties: { kind: { enum: ['x', 'y'] }, size: { type: 'integer' } },
    required: ['kind'],
    if: { properties: { kind: { const: 'x' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['size'] },
  },
  'json schema: dependency': {
    type: 'object',
    properties: { card: { type: 'integer' }, address: { type: 'boolean' } },
    dependentRequired: { card: ['address'] },
    $comment: 'not read',
  },
};
