import { ambrySearch } from 'ambry-site-search/astro';
import { defineConfig } from 'astro/config';

export default defineConfig({
  base: '/handbook',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  integrations: [
    ambrySearch({ model: process.env['MODEL'] ?? 'static.weights', titleSuffix: ' | Handbook' }),
  ],
});
