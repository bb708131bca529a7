// Values of options as people type them: negative numbers, missing values, and the names that other programs give to types.
import { describe, expect, test } from 'vitest';
import { commandNames, loadCommand } from '../../../../web/src/cli/commands.ts';
import { oneOf } from '../../../../web/src/cli/shared/option-values.ts';
import { choiceFor, nearestType } from '../../../../web/src/cli/shared/type-names.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model } = await cliFolder();
const floats = ['f32', 'f16', 'bf16'] as const;
const quantized = ['int8', 'int4', 'int4_block', 'f16', 'q8_0', 'q4_k', 'q6_k'] as const;

describe('types', () => {
  test.each([
    ['float32', floats, 'f32'],
    ['FP16', floats, 'f16'],
    ['Half', floats, 'f16'],
    ['torch.bfloat16', floats, 'bf16'],
    ['Q8_0', quantized, 'q8_0'],
    ['q4-k', quantized, 'q4_k'],
    ['INT8', quantized, 'int8'],
    ['8bit', quantized, 'int8'],
    ['INT4-Block', quantized, 'int4_block'],
    ['FP16', ['fp16', 'fp32'], 'fp16'],
    ['f32', ['fp16', 'fp32'], 'fp32'],
  ] as const)('%s among %j is %s', (text, choices, wanted) => {
    expect(choiceFor<string>(text, choices)).toBe(wanted);
    expect(oneOf<string>(text, '--dtype', choices)).toBe(wanted);
  });

  test.each(['', 'x', 'q4', 'f64', 'constructor', '__proto__'])('%j is none', (text) => {
    expect(choiceFor(text, floats)).toBeUndefined();
    expect(() => oneOf(text, '--dtype', floats)).toThrowError(/must be one of f32, f16, bf16/);
  });

  test.each([
    ['Q4_K_M', 'q4_k'],
    ['q6_K_L', 'q6_k'],
    ['IQ4_XS', 'q4_k'],
    ['Q4_0', 'q4_k'],
    ['q8_1', 'q8_0'],
    ['nf4', 'int4'],
    ['fp8', 'int8'],
    ['huge', undefined],
  ])('the nearest to %s is %s', (text, wanted) => {
    expect(nearestType(text, quantized)).toBe(wanted);
  });

  test.each([
    ['out.gguf', 'q8_0', 'q8_0 is a type that quantize makes: ambry quantize '],
    ['out.gguf', 'Q4_K_M', 'The nearest one that quantize makes is q4_k: '],
    ['out.gguf', 'int8', 'The nearest one that quantize makes is q8_0: '],
    ['out.amb', 'q8_0', 'The nearest one that quantize makes is int8: '],
    ['out.amb', 'INT4', 'int4 is a type that quantize makes: '],
    ['out.gguf', 'banana', '--dtype must be one of f32'],
  ])('convert to %s --dtype %s explains', async (target, type, words) => {
    const { code, err } = await ambryCli(['convert', model, at(target), '--dtype', type]);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  test('quantize names the nearest type', async () => {
    const { code, err } = await ambryCli(['quantize', model, at('out.gguf'), '--type', 'Q4_K_M']);
    expect([code, err]).toEqual([2, expect.stringContaining('The nearest type is q4_k.')]);
  });

  test('convert takes a type by another name', async () => {
    const args = ['convert', model, at('half.gguf'), '--dtype', 'Float16'];
    expect((await ambryCli(args)).code).toBe(0);
    const { json } = await ambryCli(['inspect', at('half.gguf'), '--json']);
    const [{ tensors }] = json() as [{ tensors: { dtype: string }[] }];
    expect(tensors.map(({ dtype }) => dtype)).toContain('f16');
  });
});

/** Each option of each command that takes a value. */
const options: [string, string, string][] = [];
for (const name of commandNames) {
  const command = await loadCommand(name);
  for (const [option, { type, short }] of Object.entries(command?.options ?? {})) {
    if (type === 'string') {
      options.push([name, option, short === undefined ? `--${option}` : `-${short}`]);
    }
  }
}

test('there are options', () => expect(options.length).toBeGreaterThan(100));

describe('an option without its value', () => {
  const refuse = async (name: string, args: readonly string[]) => {
    const command = await loadCommand(name);
    return command?.run(args, {} as never).catch((error: Error) => error.message);
  };

  test.each(options)('%s --%s says so in our words', async (name, option, flag) => {
    const named = option.length === 1 ? `-${option}` : `--${option}`;
    for (const args of [
      [flag],
      ['a', flag, '--json'],
      ['a', flag, '--nothing'],
      ['a', flag, '--'],
    ]) {
      const message = await refuse(name, args);
      expect(message, args.join(' ')).toContain(`${named} needs a value`);
      expect(message).not.toMatch(/ambiguous|argument missing|\.\.$/);
    }
  });

  test('a value for an option that takes none is refused', async () => {
    expect(await refuse('inspect', ['a', '--json=3'])).toBe('--json takes no value.');
  });
});

test.each([
  [['generate', model, 'a', '--max-tokens', '-3'], '--max-tokens must be'],
  [['generate', model, 'a', '--temperature', '-1'], '--temperature must be'],
  [['embed', model, 'a', '--dim', '-2'], '--dim must be'],
  [['similar', model, 'a', '-k', '-1'], '-k must be'],
  [['inspect', 'http://127.0.0.1:1/x', '--stall-timeout', '-1'], '--stall-timeout must be'],
  [['convert', model, at('o.gguf'), '--dim', '-.5'], '--dim must be'],
])('%j is judged by its value', async (args, words) => {
  const { code, err } = await ambryCli(args);
  expect(err).toContain(words);
  expect(code).toBe(2);
});

test('a text may be a negative number, and one with a hyphen is written behind =', async () => {
  const tokens = async (...args: string[]) => ambryCli(['tokenize', at('tiny'), ...args]);
  expect((await tokens('--text', '-5')).code).toBe(0);
  const { code, err } = await tokens('--text', '-abc');
  expect([code, err]).toEqual([2, expect.stringContaining('write --text=-abc')]);
  expect((await tokens('--text=-abc')).code).toBe(0);
});
