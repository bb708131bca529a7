// The style of the element. All elements of a page share one sheet.
import { field } from './style/field.ts';
import { media } from './style/media.ts';
import { panel } from './style/panel.ts';
import { variables } from './style/variables.ts';

export const css: string = [variables, field, panel, media].join('\n');

let sheet: CSSStyleSheet | undefined;

/** A sheet that a script makes needs no permission of the page's policy. A browser that knows none, of before 2023, fetches
 *  it as a file, which the policy `style-src 'self'` allows. */
export function addStyle(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root) {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  // packages/site-search/build.mjs makes the file.
  link.href = new URL('./ambry-search.css', import.meta.url).href;
  (root as ShadowRoot).append(link);
}
