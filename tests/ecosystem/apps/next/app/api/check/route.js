import { check } from '../../../program/check.js';

export const dynamic = 'force-dynamic';

export async function GET(request) {
  return Response.json(await check(new URL(request.url).searchParams.get('assets')));
}
