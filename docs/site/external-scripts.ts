// VitePress writes small scripts and styles into its pages, which the policy of the site forbids. The scripts become files.
import { createHash } from 'node:crypto';
import { themeKey } from './theme-key.ts';

const script = /<script((?:\s[^>]*)?)>((?:(?!<\/script>).)+)<\/script>/gs;
/** The style of a tag that the server writes. The page sets it again by script, which the policy allows. */
const styleOfTag = /(<[a-z][^<>]*?) style="[^"]*"/g;

/** The name under which VitePress's script looks for the theme before the page is drawn. It cannot be set. */
const theirKey = /vitepress-theme-appearance/g;

/** Replaces each inline script of `html` by a link to a file below `base`, and adds that file to `files`. */
export function externalizeScripts(html: string, base: string, files: Map<string, string>): string {
  return html.replace(styleOfTag, '$1').replace(script, (_whole, attributes, inline: string) => {
    const text = inline.replace(theirKey, themeKey);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    const name = `assets/inline-${hash}.js`;
    files.set(name, text);
    return `<script${attributes} src="${base}${name}"></script>`;
  });
}
