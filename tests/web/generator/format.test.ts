// Answers that keep to a form: those of a model with made-up weights, which would never write it by itself.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerFormat, GenerateOptions } from '../../../web/src/entries/types.ts';
import type { Generator } from '../../../web/src/index.ts';
import { languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';

let models: Generator[];
beforeAll(async () => {
  // Other weights for each: their numbers are turned around, and scaled.
  const files = [1, -0.7, 1.9, -1.3].map((scale) =>
    languageFile({ context: 2048 }, (name, numbers) => {
      if (name.includes('norm')) {
        return;
      }
      for (let i = 0; i < numbers.length; i++) {
        numbers[i] = (numbers[i] ?? 0) * scale;
      }
    }),
  );
  models = await Promise.all(files.map((file) => openGenerator(file)));
});
afterAll(() => Promise.all(models.map((model) => model.dispose())));

function answer(format: AnswerFormat, seed: number, options: GenerateOptions = {}) {
  const model = models[seed % models.length] as Generator;
  const sampling = { temperature: 1.5, topP: 1, maxTokens: 1000 };
  return model.generate('Hello', { ...sampling, ...options, format, seed }).result;
}

const schemas: Readonly<Record<string, object>> = {
  'an object': {
    type: 'object',
    required: ['name', 'age'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 8 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      isMember: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  'a list of numbers': {
    type: 'array',
    items: { type: 'number', exclusiveMinimum: -1.25, maximum: 31.5 },
    minItems: 2,
    maxItems: 5,
  },
  'a tree': {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        required: ['value'],
        properties: {
          value: { enum: ['a', 1, null, { k: [true] }] },
          children: { type: 'array', items: { $ref: '#/$defs/node' }, maxItems: 1 },
        },
      },
    },
  },
  'strings of formats': {
    type: 'object',
    required: ['day', 'id', 'address'],
    properties: {
      day: { type: 'string', format: 'date' },
      id: { type: 'string', format: 'uuid' },
      address: { type: 'string', format: 'ipv4' },
    },
  },
  'strings of patterns': {
    type: 'array',
    prefixItems: [
      { type: 'string', pattern: '^[A-Z]{2}\\d{3}$' },
      { type: 'string', pattern: '^(?:ab|"\\\\|\\n)+$' },
    ],
  },
  'one of several objects': {
    oneOf: [
      {
        type: 'object',
        required: ['kind', 'radius'],
        properties: {
          kind: { const: 'circle' },
          radius: { type: 'number', minimum: 0, maximum: 9 },
        },
      },
      {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { const: 'point' },
          at: { items: { type: 'integer' }, maxItems: 2, type: 'array' },
        },
      },
    ],
  },
  'joined schemas': {
    allOf: [
      { type: 'object', properties: { a: { type: ['integer', 'null'] } }, required: ['a'] },
      { properties: { a: { maximum: 40 }, b: { type: 'string', maxLength: 3 } } },
    ],
  },
  'any of several types': {
    anyOf: [
      { type: ['boolean', 'null'] },
      { type: 'integer', exclusiveMaximum: 7 },
      { type: 'string', maxLength: 5 },
    ],
  },
  'other properties': {
    type: 'object',
    required: ['x'],
    properties: { x: { type: 'integer' }, xy: { type: 'boolean' } },
    additionalProperties: { type: 'null' },
  },
  'any number': { type: 'number' },
};

// The judge of answers. It refuses schemas with keywords that it does not know.
const ajv = new Ajv2020({ allowUnionTypes: true, strictTuples: false, strictTypes: false });
addFormats.default(ajv);

describe('an answer with a schema', () => {
  const seeds = 1000 / Object.keys(schemas).length;

  test.each(Object.entries(schemas))(
    'is valid for every seed: %s',
    async (name, schema) => {
      let complete = 0;
      const isValid = ajv.compile(schema);
      for (let seed = 0; seed < seeds; seed++) {
        const { text, parsed, stoppedBy } = await answer({ schema }, seed);
        const isComplete = stoppedBy === 'eos' || stoppedBy === 'format';
        expect(parsed !== undefined).toBe(isComplete);
        if (!isComplete) {
          continue;
        }
        complete++;
        expect(JSON.parse(text)).toEqual(parsed);
        expect(isValid(parsed), `${name}, seed ${seed}: ${text}`).toBe(true);
      }
      expect(complete).toBeGreaterThan(seeds * 0.9);
    },
    120_000,
  );

  test('is whole or has no parsed value', async () => {
    const schema = { type: 'array', minItems: 4, items: { type: 'string', minLength: 9 } };
    const made = await answer({ schema }, 3, { maxTokens: 7 });
    expect(made).toMatchObject({ stoppedBy: 'length', ids: { length: 7 } });
    expect(made).not.toHaveProperty('parsed');
  });

  test('takes any JSON where the schema allows it', async () => {
    const { parsed, stoppedBy } = await answer({ schema: { type: 'array', maxItems: 0 } }, 1);
    expect({ parsed, stoppedBy }).toEqual({ parsed: [], stoppedBy: 'format' });
  });
});

describe('an answer with another form', () => {
  test('is one of the choices', async () => {
    const choices = ['yes', 'no', ' perhaps', 'naïve 😀'];
    const texts = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const { text, stoppedBy, ...rest } = await answer({ choices }, seed, { temperature: 50 });
      expect(stoppedBy).toBe('format');
      expect(rest).not.toHaveProperty('parsed');
      texts.add(text);
    }
    expect([...texts].sort()).toEqual([...choices].sort());
  });

  test('matches the regular expression', async () => {
    const regex = '(?:[a-f]{2,3}|\\d+\\.)é[^\\x00-\\x7F]?';
    for (let seed = 0; seed < 40; seed++) {
      const { text, stoppedBy } = await answer({ regex }, seed);
      if (stoppedBy === 'length') {
        continue;
      }
      expect(text).toMatch(new RegExp(`^(?:${regex})$`, 'u'));
    }
  });

  test('keeps to the grammar', async () => {
    const grammar = 'root ::= term ([-+] term){0,3}\nterm ::= [1-9] [0-9]{0,2} | "(" root ")"';
    for (let seed = 0; seed < 40; seed++) {
      const { text, stoppedBy } = await answer({ grammar }, seed);
      if (stoppedBy === 'length') {
        continue;
      }
      expect(text).toMatch(/^[-+()\d]+$/);
      expect(Number.isFinite(Function(`return ${text}`)())).toBe(true);
    }
  });

  test('gives the tokens as they come', async () => {
    const run = (models[0] as Generator).generate('Hello', { format: { choices: ['maybe'] } });
    const texts: string[] = [];
    for await (const { text } of run) {
      texts.push(text);
    }
    expect(texts).toEqual([...'maybe']);
  });
});

describe('a form that cannot be', () => {
  test.each([
    [{ schema: false }, 'BadValue', 'options.format.schema'],
    [
      { schema: { properties: { a: { uniqueItems: true } } } },
      'Unsupported',
      'options.format.schema.properties.a.uniqueItems',
    ],
    [{ choices: [] }, 'BadValue', 'options.format.choices'],
    [{ regex: '(?=a)' }, 'Unsupported', 'options.format.regex'],
    [{ grammar: 'root ::= root "a" | "b"' }, 'Unsupported', 'options.format.grammar'],
    [{ xml: '' }, 'BadValue', 'options.format.xml'],
    [{}, 'BadValue', 'options.format'],
  ])('%j is a typed error', async (format, code, path) => {
    await expect(answer(format as never, 0)).rejects.toMatchObject({ code, path });
  });

  test('is refused if it is no plain data', async () => {
    const schema: Record<string, unknown> = {};
    schema.properties = schema;
    await expect(answer({ schema }, 0)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.format',
    });
  });
});
