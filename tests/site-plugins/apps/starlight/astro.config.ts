import starlight from '@astrojs/starlight';
import { ambrySearch } from 'ambry-site-search/starlight';
import { defineConfig } from 'astro/config';

export default defineConfig({
  base: '/handbook',
  integrations: [
    starlight({
      title: 'Handbook',
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } },
      editLink: { baseUrl: 'https://example.org/edit/' },
      plugins: [ambrySearch({ model: process.env['MODEL'] ?? 'static.weights' })],
    }),
  ],
});
