// One schema for what keeps to one of two.
import { expect, test } from 'vitest';
import { eitherSchema } from '../../../../web/src/generator/reply/either-schema.ts';

test('references lead to the same places as before', () => {
  const tree = {
    type: 'object',
    properties: { $ref: { $ref: '#/$defs/node' }, default: { $ref: '#' } },
    $defs: { node: { anyOf: [{ $ref: '#/$defs/node' }, { const: { $ref: '#' } }] } },
  };
  expect(eitherSchema(true, tree)).toEqual({
    anyOf: [{ $ref: '#/$defs/first' }, { $ref: '#/$defs/second' }],
    $defs: {
      first: true,
      second: {
        type: 'object',
        properties: {
          $ref: { $ref: '#/$defs/second/$defs/node' },
          default: { $ref: '#/$defs/second' },
        },
        $defs: {
          node: { anyOf: [{ $ref: '#/$defs/second/$defs/node' }, { const: { $ref: '#' } }] },
        },
      },
    },
  });
});
