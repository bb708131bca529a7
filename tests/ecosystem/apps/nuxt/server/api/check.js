import { check } from '../../program/check.js';

export default defineEventHandler((event) => check(getQuery(event).assets));
