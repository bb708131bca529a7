import { json } from '@sveltejs/kit';
import { check } from '../../../program/check.js';

export async function GET({ url }) {
  return json(await check(url.searchParams.get('assets')));
}
