import { checkPage } from './program/page.js';

checkPage();
