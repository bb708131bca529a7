// Tables that fit on the page, so that nothing scrolls within it. The style sheet has the rest
// (docs/.vitepress/theme/scrolling.css).
import type { MarkdownRenderer } from 'vitepress';

/** On a phone a table of more columns has a block for each row, whose cells tell the titles of their columns. */
const maxColumns = 3;

type Token = ReturnType<MarkdownRenderer['parse']>[number];

const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join('');

export function fitTables(md: MarkdownRenderer): void {
  md.core.ruler.push('fit-tables', ({ tokens }) => labelCells(tokens));
  // VitePress makes tables targets of the keyboard, because its own scroll.
  md.renderer.rules.table_open = (tokens, at, options, _env, self) =>
    self.renderToken(tokens, at, options);
  const { code_inline: plain } = md.renderer.rules;
  if (plain === undefined) {
    throw new Error('docs: the renderer of Markdown has no rule for code');
  }
  md.renderer.rules.code_inline = (tokens, at, ...given) => {
    const html = plain(tokens, at, ...given);
    return tokens[at]?.meta === inCell ? breakable(html) : html;
  };
}

const inCell = 'in a cell';

function labelCells(tokens: readonly Token[]): void {
  let table: Token | undefined;
  let titles: string[] = [];
  let column = 0;
  tokens.forEach((token, at) => {
    const content = tokens[at + 1];
    if (token.type === 'table_open') {
      [table, titles] = [token, []];
    } else if (token.type === 'tr_open') {
      column = 0;
    } else if (token.type === 'th_open') {
      titles.push(textOf(content));
    } else if (token.type === 'thead_close' && titles.length > maxColumns) {
      table?.attrJoin('class', 'records');
    } else if (token.type === 'td_open') {
      if (titles.length > maxColumns) {
        token.attrSet('data-label', titles[column] ?? '');
      }
      for (const child of content?.children ?? []) {
        if (child.type === 'code_inline') {
          child.meta = inCell;
        }
      }
      column += 1;
    }
  });
}

/** Names may be broken between their words: `maxNewTokens`, `max_new_tokens`, `model.embed`. */
export function breakable(html: string): string {
  return html.replace(/<[^>]*>|&[^;]*;|[a-z](?=[A-Z])|[._/](?=\w)/g, (found) =>
    found.length === 1 ? `${found}<wbr>` : found,
  );
}
