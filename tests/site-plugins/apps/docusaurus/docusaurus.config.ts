import type { Config } from '@docusaurus/types';

const config: Config = {
  title: 'Handbook',
  url: 'https://example.org',
  baseUrl: '/handbook/',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [
    [
      'classic',
      {
        docs: { routeBasePath: '/', editUrl: 'https://example.org/edit/' },
        blog: { showReadingTime: true },
      },
    ],
  ],
  plugins: [['ambry-site-search/docusaurus', { model: process.env['MODEL'] ?? 'static.weights' }]],
  themeConfig: { navbar: { title: 'Handbook' } },
};

export default config;
