// Directives of MyST that are written as code but hold Markdown: notes and the like.
import type { Tokens } from 'marked';

const language = /^\{([\w:-]+)\}\s*(.*)$/;
const withText = new Set(
  'admonition attention caution danger deprecated dropdown epigraph error grid grid-item grid-item-card card exercise hint important margin note prf:proof prf:theorem proof seealso sidebar solution tab-item tab-set theorem tip todo topic versionadded versionchanged warning'.split(
    ' ',
  ),
);
const options = /^(?:---\n[\s\S]*?\n---(?:\n|$)|(?:[ \t]*:[\w-]+:.*(?:\n|$))+)/;

/** The Markdown of a directive, line by line below its first one, or undefined for code. */
export function directiveOf({ lang, text }: Tokens.Code): string | undefined {
  const [, name = '', title = ''] = language.exec(lang ?? '') ?? [];
  if (!withText.has(name)) {
    return undefined;
  }
  const body = text.replace(options, (lines) => '\n'.repeat(lines.split('\n').length - 1));
  return `${title}\n${body}`;
}
