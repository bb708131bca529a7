// Answers that keep to schemas as tools write them and to those of JSON-Schema-Test-Suite, judged by ajv. Tokens are random: a model with
// made-up weights at a high temperature.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Generator } from '../../../web/src/index.ts';
import { dataPath } from '../../data-folder.mjs';
import { describeWithData } from '../support/data.ts';
import { languageFile } from '../support/files/language-file.ts';
import { toolValues } from '../support/models/tool-schemas.ts';
import { openGenerator } from '../support/open-kinds.ts';

/** AMBRY_FUZZ is the share of 1,000 seeds for each schema; without it there are a few. */
const seeds = (usual: number) =>
  process.env['AMBRY_FUZZ'] === undefined
    ? usual
    : Math.ceil(1000 * Number(process.env['AMBRY_FUZZ']));

let model: Generator;
beforeAll(async () => {
  model = await openGenerator(languageFile({ context: 512, layers: 1, width: 32 }));
});
afterAll(() => model?.dispose());

/** The answers that came to their end. */
async function answersOf(schema: object | boolean, count: number): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let seed = 0; seed < count; seed++) {
    const options = { format: { schema: schema as object }, seed, temperature: 1.5, topP: 1 };
    const { text, parsed, stoppedBy } = await model.generate('', { ...options, maxTokens: 200 })
      .result;
    if (stoppedBy !== 'length') {
      expect(JSON.parse(text)).toEqual(parsed);
      answers.push(parsed);
    }
  }
  return answers;
}

const options: Options = { strict: false, logger: false, multipleOfPrecision: 9 };

/** Drafts until 2019-09 have lists of schemas in `items`. */
function judgeOf(schema: object | boolean) {
  const isOld = JSON.stringify(schema).includes('"items":[');
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  for (const format of ['base64', 'starts_with']) {
    ajv.addFormat(format, true);
  }
  if (typeof schema === 'boolean') {
    return ajv.compile(schema);
  }
  const { $schema: _, ...rest } = schema as { $schema?: string };
  return ajv.compile(rest);
}

describe('an answer with a schema of a tool', () => {
  test.each(Object.entries(toolValues))(
    'is valid for every seed: %s',
    async (_, value) => {
      const schema = { type: 'object', properties: { v: value }, required: ['v'] };
      const isValid = judgeOf(schema);
      const answers = await answersOf(schema, seeds(5));
      for (const answer of answers) {
        expect(isValid(answer), JSON.stringify(answer)).toBe(true);
      }
      expect(answers.length).toBeGreaterThan(0);
    },
    300_000,
  );
});

interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[];
}

const suite = 'published/json-schema/tests/draft2020-12';

/** Whether ajv judges the suite's own instances as the suite does; it has faults of its own. */
function trustedJudge({ schema, tests }: Group) {
  try {
    const isValid = judgeOf(schema);
    return tests.every(({ data, valid }) => isValid(data) === valid) ? isValid : undefined;
  } catch {
    return undefined; // a reference to another document
  }
}

describeWithData('an answer with a schema of JSON-Schema-Test-Suite', [suite], () => {
  const folder = dataPath(suite);
  const files = readdirSync(folder, { encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

  test.each(files)('is valid, or the schema is refused by name: %s', async (file) => {
    const groups: Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const group of groups) {
      let answers: unknown[] = [];
      try {
        answers = await answersOf(group.schema, seeds(1));
      } catch (error) {
        const path = expect.stringMatching(/^options\.format\.schema/);
        expect(error, group.description).toMatchObject({ path });
      }
      const isValid = trustedJudge(group);
      for (const answer of answers) {
        const shown = `${group.description}: ${JSON.stringify(answer)}`;
        expect(isValid?.(answer) ?? true, shown).toBe(true);
      }
    }
  }, 600_000);

  test('the page of grammars lists what is refused', async () => {
    const refused: Record<string, number> = {};
    for (const { schema } of everyGroup()) {
      const reason = await refusalOf(schema);
      if (reason !== undefined) {
        refused[reason] = (refused[reason] ?? 0) + 1;
      }
    }
    const rows = Object.entries(refused).sort(([a], [b]) => (a < b ? -1 : 1));
    const table = rows.map(([reason, count]) => `| ${reason} | ${count} |`).join('\n');
    expect(readFileSync(page, 'utf8')).toContain(`| refused | groups |\n|---|---|\n${table}\n\n`);
  }, 600_000);

  function everyGroup(): Group[] {
    const names = readdirSync(folder, { encoding: 'utf8', recursive: true });
    const files = names.filter((name) => name.endsWith('.json'));
    return files.flatMap((name): Group[] => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  }
});

const page = new URL('../../../core/text/grammar/README.md', import.meta.url);

/** The last of these in the path of an error is what was refused. */
const keywords = new Set(
  '$id $ref $dynamicRef contains format multipleOf pattern patternProperties unevaluatedProperties uniqueItems'.split(
    ' ',
  ),
);

/** What of the schema is refused. Undefined if it is supported, or allows nothing. */
async function refusalOf(schema: object | boolean): Promise<string | undefined> {
  const format = { schema: schema as object };
  const error: unknown = await model.generate('', { format, maxTokens: 1 }).result.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { path = '', message = '' } = (error ?? {}) as { path?: string; message?: string };
  if (error === undefined || /^no text has this form/.test(message)) {
    return undefined;
  }
  const keyword = path
    .replace('options.format.', '')
    .split('.')
    .findLast((name) => keywords.has(name));
  const [, name] = /^the format ("[^"]+") is not/.exec(message) ?? [];
  const shown = `\`${keyword}\`${name === undefined ? '' : ` of ${name}`}`;
  return keyword === undefined ? 'a word that is no keyword' : shown;
}
