// The script that lies beside an index, `ambry-search.js`: it defines `<ambry-search>`, and knows where the index is.
import { AmbrySearch } from './ambry-search.ts';

const { url } = import.meta;
AmbrySearch.defaultSrc = new URL('.', url).href;
if (!customElements.get('ambry-search')) {
  customElements.define('ambry-search', AmbrySearch);
}
