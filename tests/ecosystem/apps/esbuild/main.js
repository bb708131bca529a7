import 'ambry-whole';
import { checkPage } from './program/page.js';

checkPage();
