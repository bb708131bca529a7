// Queries for two sets whose pages others have described in words of their own. No query is chosen by hand.
//
// - `eslint`: ESLint's rules have a description and messages in their code, which the Markdown of their pages does not
//   repeat. Each is a query for the page of the rule. Placeholders are removed. Texts of several rules do not count.
// - `debian`: the one-line description of a Debian package is a query for the page of tldr-pages about the command of this
//   name, if there is one page of this name. `apt-cache` on Debian lists the packages.
//
// Three words of a query must be no function words; the caller sees to that. The name of the page is removed from it.
import { execFileSync } from 'node:child_process';
import { git, type Repository } from './markdown-site.ts';

export interface OutsideText {
  readonly text: string;
  /** The last part of the path of its page. */
  readonly name: string;
}

export const outsideSources = {
  eslint: ruleTexts,
  debian: packageTexts,
} as const;

const mostOutput = 1 << 28;

function ruleTexts(repository: Repository): OutsideText[] {
  const list = git(repository, 'ls-tree', '-r', '-z', '--name-only', 'HEAD', 'lib/rules');
  const files = list.split('\0').filter((file) => /^lib\/rules\/[a-z-]+\.js$/.test(file));
  const texts = files.flatMap((file) => {
    const name = file.slice('lib/rules/'.length, -'.js'.length);
    const code = git(repository, 'show', `HEAD:${file}`);
    const found = [...stringsAfter('description', code).slice(0, 1), ...messagesIn(code)];
    return found.map((text) => ({ text: text.replace(/\{\{.*?\}\}|[`'"]/g, ' '), name }));
  });
  return texts.map(withoutName);
}

function messagesIn(code: string): string[] {
  const block = /\bmessages: \{([\s\S]*?)\n\t\t\}/.exec(code)?.[1] ?? '';
  return stringsAfter('\\w+', block);
}

function stringsAfter(key: string, code: string): string[] {
  const pattern = new RegExp(`\\b${key}:\\s*(["'\`])((?:\\\\.|(?!\\1).)*)\\1`, 'g');
  return [...code.matchAll(pattern)].map(([, , text = '']) => text.replace(/\\(.)/g, '$1'));
}

function packageTexts(): OutsideText[] {
  const options = { encoding: 'utf8', maxBuffer: mostOutput } as const;
  const lines = execFileSync('apt-cache', ['search', '--names-only', '.'], options).split('\n');
  return lines.flatMap((line) => {
    const [, name, text] = /^(\S+) - (.+)$/.exec(line) ?? [];
    return name && text ? [withoutName({ text, name })] : [];
  });
}

function withoutName({ text, name }: OutsideText): OutsideText {
  const own = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const plain = text.replace(new RegExp(`(?<![\\w-])${own}(?![\\w-])`, 'gi'), ' ');
  return { text: plain.replace(/\s+/g, ' ').trim(), name };
}
