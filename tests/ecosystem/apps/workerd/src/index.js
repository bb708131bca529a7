import { check } from '../program/check.js';

export default {
  async fetch(request) {
    const assets = new URL(request.url).searchParams.get('assets');
    return assets ? Response.json(await check(assets)) : new Response('ready');
  },
};
