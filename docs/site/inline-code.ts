// Code within a text stands as it is written: Vue would take what is in double braces for an expression, and the page would be empty.
import type { MarkdownRenderer } from 'vitepress';

export function keepBraces(md: MarkdownRenderer): void {
  const { code_inline: plain } = md.renderer.rules;
  if (plain === undefined) {
    throw new Error('docs: the renderer of Markdown has no rule for code');
  }
  md.renderer.rules.code_inline = (...given) => plain(...given).replace(/^<code/, '<code v-pre');
}
