// The help of every command, and the command lines of docs/command-line.md.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandNames, loadCommand } from '../../../web/src/cli/commands.ts';
import type { CommandOptions } from '../../../web/src/cli/shared/command.ts';
import { helpPage } from '../../../web/src/cli/shared/help.ts';

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');

/** The options of a command line: `--to` and `-k`. */
const optionsIn = (line: string) =>
  [...line.matchAll(/(?<=\s)--?([a-z][\w-]*)/g)].map(([, name]) => name ?? '');

function expectKnown(line: string, options: CommandOptions): void {
  const shorts = Object.values(options).map(({ short }) => short);
  for (const option of optionsIn(line)) {
    expect(Object.hasOwn(options, option) || shorts.includes(option), `${option} in: ${line}`).toBe(
      true,
    );
  }
}

describe('the help page', () => {
  test.each(commandNames)('of %s names its options, and its examples use them', async (name) => {
    const command = await loadCommand(name);
    if (!command) {
      throw new Error(`no command ${name}`);
    }
    const lines = helpPage(name, command);
    expect(lines[0]).toMatch(new RegExp(`^Usage: ambry ${name}( |$)`));
    expect(lines[2]).toBe(`${command.summary}.`);
    for (const line of lines) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
    const text = lines.join('\n');
    for (const [option, { type, short, choices, value = choices?.[0], help }] of Object.entries(
      command.options,
    )) {
      expect(text).toContain(option === short ? `-${short} ` : `--${option}`);
      expect(value !== undefined, `--${option} has a placeholder`).toBe(type === 'string');
      expect(help).toMatch(/\.$/);
      if (type === 'string') {
        expect(help, `--${option}`).toMatch(/Default: |Required/);
      }
    }
    expect(command.options).toHaveProperty('json');
    expect(text).toContain('\n--json prints ');
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(example.split(' ')[0]).toBe(name);
      // The options of an inner command are not those of the command.
      if (!command.hasCommands) {
        expectKnown(example, command.options);
      }
    }
  });
});

test('help states a default by its constant', () => {
  const root = new URL('../../../', import.meta.url);
  const own = globSync('web/src/cli/**/*.ts', { cwd: root });
  const files = [...own, ...globSync('packages/*/src/command.ts', { cwd: root })];
  expect(files.length).toBeGreaterThan(20);
  const copies = files.flatMap((name) =>
    [...readFileSync(new URL(name, root), 'utf8').matchAll(/Default: (-?[\d.]*\d|[\w-]+)\./g)].map(
      ([text]) => `${name}: ${text}`,
    ),
  );
  // These say what code does where an option is absent, and are no value of a constant.
  expect(copies.filter((copy) => !/: (none|all)\.$/.test(copy))).toEqual([]);
});

describe('the page of commands', () => {
  const lines = [...page.matchAll(/^npx ambry (\S+)(.*?)(?: #.*)?$/gm)];
  test('has command lines', () => {
    expect(lines.length).toBeGreaterThan(10);
  });

  test.each(lines.map(([, name = '', args = '']) => [name, args]))('%s%s', async (name, args) => {
    const command = await loadCommand(name);
    expect(command, name).toBeDefined();
    if (command) {
      expectKnown(args, command.options);
    }
  });
});
