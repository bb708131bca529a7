import { ambrySearch } from 'ambry-site-search/vitepress';
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Handbook',
  base: '/handbook/',
  cleanUrls: true,
  // Otherwise VitePress writes a style into the page when its colours change, which the policy forbids.
  appearance: { disableTransition: false },
  locales: {
    root: { label: 'English', lang: 'en' },
    fr: { label: 'Français', lang: 'fr', title: 'Manuel' },
  },
  themeConfig: {
    nav: [{ text: 'Cats', link: '/cats' }],
    sidebar: [
      { text: 'Cats', link: '/cats' },
      { text: 'Sails', link: '/sails' },
    ],
    editLink: { pattern: 'https://example.org/edit/:path' },
  },
  vite: { plugins: [ambrySearch({ model: process.env['MODEL'] ?? 'static.weights' })] },
});
