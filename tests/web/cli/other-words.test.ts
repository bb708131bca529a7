// Words of other programs: the error names what does the same here, or says why there is nothing. Every word of the tables is
// typed.
import { expect, test } from 'vitest';
import type { Command } from '../../../web/src/cli/shared/command.ts';
import { needless, otherCommands, otherOptions } from '../../../web/src/cli/shared/other-words.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';

const messageOf = async (args: readonly string[]) => {
  const { code, json } = await ambryCli([...args, '--json']);
  const [{ error }] = json() as [{ error: { message: string } }];
  expect(code).toBe(2);
  return error.message;
};

/** What `help --json` says of every command. */
const commands: (Pick<Command, 'options' | 'usage'> & { readonly name: string })[] = [];
const overview = await ambryCli(['help', '--json']);
for (const { name } of (overview.json() as [{ commands: { name: string }[] }])[0].commands) {
  const [help] = (await ambryCli(['help', name, '--json'])).json() as [(typeof commands)[number]];
  commands.push(help);
}

/** The command takes this option, or this argument. */
const takes = ({ options, usage }: (typeof commands)[number], name: string) =>
  name.startsWith('-')
    ? Object.hasOwn(options, name.replace(/^--?/, ''))
    : usage.split(/[^A-Z]+/).includes(name);

const isShortOf = ({ options }: (typeof commands)[number], word: string) =>
  Object.values(options).some(({ short }) => `-${short}` === word);

test.each(Object.entries(otherCommands))('the command %s', async (ours, words) => {
  expect([...commands.map(({ name }) => name), 'help', 'version']).toContain(ours);
  for (const word of words) {
    const message = await messageOf([word]);
    expect(message).toMatch(/^There is no command ".*"\. Did you mean /);
    expect(message).toContain(`"${ours}"`);
    expect(commands.map(({ name }) => name)).not.toContain(word);
  }
});

test.each(Object.entries(otherOptions))('%s', async (ours, words) => {
  const having = commands.filter((command) => takes(command, ours));
  const advice = ours.startsWith('-')
    ? ` Did you mean "${ours}"?`
    : ` Give ${ours} as an argument. The command takes: `;
  for (const word of words) {
    const without = having.filter((each) => !takes(each, word) && !isShortOf(each, word));
    const messages: string[] = [];
    for (const { name } of without) {
      messages.push(await messageOf([name, word]));
    }
    expect(messages, `${word}`).toContainEqual(
      expect.stringContaining(`There is no option ${word}.${advice}`),
    );
  }
});

test.each(Object.entries(needless))('%s', async (why, words) => {
  for (const word of words) {
    expect(await messageOf(['chat', word, '9'])).toBe(`There is no option ${word}. ${why}`);
  }
});

test.each([
  [['generate', 'm.gguf', '-temp', '0'], 'There is no option -temp. Did you mean "--temperature"?'],
  [['generate', 'm.gguf', '--top_k=3'], 'There is no option --top_k. Did you mean "--top-k"?'],
  [['generate', 'm.gguf', '--topP', '1'], 'There is no option --topP. Did you mean "--top-p"?'],
  [['rank', 'm.gguf', 'q', '--top_k=3'], 'There is no option --top_k. Did you mean "-k"?'],
  [['generate', '-m', 'm.gguf'], 'There is no option -m. Give MODEL as an argument. '],
  [['search', 'i', '-m', 'm.gguf'], 'There is no option -m. Did you mean "--model"?'],
  [['convert', 'a', 'b', '-to', 'amb'], 'There is no option -to. Did you mean "--to"?'],
  [['convert_hf_to_gguf'], 'Did you mean "convert"?'],
  [['run', 'm.gguf'], 'There is no command "run". Did you mean "chat" or "generate"?'],
  [['help', 'info'], 'There is no command "info". Did you mean "inspect"?'],
])('%j', async (args, message) => {
  expect(await messageOf(args)).toContain(message);
});

test('a word of another program that is a value is taken as it is', async () => {
  const { err } = await ambryCli(['generate', 'none.gguf', '--prompt=-ngl']);
  expect(err).toMatch(/NotFound/);
});
