// Signs within a text that only some dialects of Markdown know, and that are no words: footnotes, links of wikis, attributes, roles
// and tags of templates.
import { areAttributes } from './attributes.ts';

const tableOfContents = /^\s*\[{1,2}_{0,2}toc_{0,2}\]{1,2}\s*$/gim;
const wikiLink = /!?\[\[([^[\]]+)\]\]/g;
const footnote = /\[\^[\w.:@-]{1,100}\]:?/g;
const inlineNote = /\^\[([^[\]]*)\]/g;
const bracketed = /\[([^[\]]*)\](\{[^{}]*\})/g;
/** Tags of Jekyll and Hugo. */
const templateTag = /\{%[^%\n]*%\}|\{\{[<%][^{}]*[>%]\}\}/g;
/** The line with which VitePress and Dart's guides include code. */
const include = /^<<<[ \t]*\S+.*$/gm;
const leadingAttributes = /^(\{[^{}]*\})/;
const trailingRole = /\{[\w:.+-]+\}$/;
const roleTarget = /^([\s\S]*?)\s*<[^<>]*>$/;
const alert = /^\s*\[![\w-]+\][+-]?[ \t]*/;

/** A text without these signs. */
export function withoutSigns(text: string): string {
  if (!/[[{]|<<</.test(text)) {
    return text;
  }
  return text
    .replace(tableOfContents, '')
    .replace(wikiLink, (_, target: string) => shownOf(target))
    .replace(footnote, '')
    .replace(inlineNote, ' ($1)')
    .replace(bracketed, (whole, inner: string, braced: string) =>
      areAttributes(braced) ? inner : whole,
    )
    .replace(templateTag, '')
    .replace(include, '');
}

/** `page`, `page|shown`, `page#part`. An embedded picture shows no text. */
function shownOf(target: string): string {
  const bar = target.lastIndexOf('|');
  const shown = (bar < 0 ? target : target.slice(bar + 1)).replace(/\\$/, '').trim();
  return /\.(?:png|jpe?g|gif|svg|webp|pdf|mp[34])$/i.test(shown) ? '' : shown;
}

/** Text behind a link, a picture or code, without the attributes of these. */
export function withoutLeadingAttributes(text: string): string {
  const braced = leadingAttributes.exec(text)?.[1];
  return braced !== undefined && areAttributes(braced) ? text.slice(braced.length) : text;
}

/** Text before code, without the role of MyST that the code has; undefined if there is none. */
export function withoutRole(text: string): string | undefined {
  const role = trailingRole.exec(text)?.[0];
  return role === undefined ? undefined : text.slice(0, -role.length);
}

/** The text of a role: `shown <target>`. */
export function roleText(code: string): string {
  return roleTarget.exec(code)?.[1] || code;
}

/** The text of a quotation without `[!NOTE]`, with which GitHub and Obsidian mark alerts. */
export function withoutAlert(text: string): string {
  return text.replace(alert, '');
}
