// Documents as people have them, of any size. The texts are the same in every run.
import type { HostileDocument } from '../../web/passages/hostile.ts';

const words =
  'the ferry leaves harbour at seven and whales sing under cold water while owls hunt mice in old barns'.split(
    ' ',
  );
let seed = 7;
function below(limit: number): number {
  seed = (seed * 1664525 + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

const list = <T>(length: number, make: () => T) => Array.from({ length }, make);
const sentence = () =>
  `${list(6 + below(14), () => words[below(words.length)] ?? '').join(' ')}${below(9) ? '.' : '?'}`;
const paragraph = () => list(2 + below(5), sentence).join(' ');
const until = (unit: (i: number) => string) => (bytes: number) => {
  const parts: string[] = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    const part = unit(i);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
};

const markdown = (i: number) =>
  [
    `## ${sentence().slice(0, 30)}\n\n`,
    `- ${sentence()}\n- *${sentence()}* and [a link](http://a.b/c)\n\n`,
    `| a | b |\n|---|---|\n| ${sentence()} | c |\n\n`,
  ][i % 8] ?? `${paragraph()}\n\n`;
const html = (i: number) =>
  [
    `<h2 class="t">${sentence().slice(0, 30)}</h2>\n`,
    `<ul>\n<li>${sentence()}</li>\n<li><b>${sentence()}</b> and <a href="/?q=${i}">a link</a></li></ul>\n`,
    `<table><tr><th>a</th><th>b</th></tr><tr><td>${sentence()}</td><td>c</td></tr></table>\n`,
  ][i % 8] ?? `<div class="p" id="p${i}"><p>${paragraph()} &amp; more</p></div>\n`;
const record = (i: number) =>
  `${JSON.stringify({ id: i, title: sentence(), text: paragraph(), tag: 'x' })}\n`;

export const ordinaryDocuments: Readonly<Record<string, HostileDocument>> = {
  'ordinary: text': { path: 'a.txt', make: until(() => `${paragraph()}\n\n`) },
  'ordinary: Markdown': { path: 'a.markdown', make: until(markdown) },
  'ordinary: HTML': { path: 'a.html', make: (n) => `<!doctype html>${until(html)(n)}` },
  'ordinary: CSV': {
    path: 'a.csv',
    make: (n) => `id,title,text\n${until((i) => `${i},${sentence()},"${paragraph()}"\n`)(n)}`,
  },
  'ordinary: CSV of short rows': {
    path: 'a.csv',
    make: (n) => `id,text\n${until((i) => `${i},${sentence()}\n`)(n)}`,
  },
  'ordinary: JSON Lines': { path: 'a.jsonl', make: until(record) },
};
