// The check with the package as a bundler or a runtime finds it.
import 'ambry-pdf';
import { open, openTokenizer } from 'ambry';
import { readDocument } from 'ambry/passages';
import { checkWith } from './check-with.js';

export const check = (assets) => checkWith({ open, openTokenizer, readDocument }, assets);
