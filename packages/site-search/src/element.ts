// `ambry-site-search/element`: defines `<ambry-search>`.
import { AmbrySearch } from './element/ambry-search.ts';

export * from './element-class.ts';

// Another script of the page may have defined it.
if (globalThis.customElements && !customElements.get('ambry-search')) {
  customElements.define('ambry-search', AmbrySearch);
}
