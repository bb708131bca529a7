// `ambry-site-search/element-class`: the class of `<ambry-search>`, which the page defines under a name of its choice.
export { AmbrySearch } from './element/ambry-search.ts';
export type { AmbrySearchEventMap, SelectDetail } from './element/events.ts';
export type { Plural, SearchStrings } from './element/strings.ts';
