import { HtmlBasePlugin, IdAttributePlugin } from '@11ty/eleventy';
import { ambrySearch } from 'ambry-site-search/eleventy';

export default function (config) {
  config.addPlugin(HtmlBasePlugin);
  config.addPlugin(IdAttributePlugin);
  config.addPlugin(ambrySearch, {
    model: process.env.MODEL ?? 'static.weights',
    titleSuffix: ' | Handbook',
    facets: ['lang'],
  });
  config.addGlobalData('layout', 'page.njk');
  config.addPassthroughCopy('style.css');
  return {
    pathPrefix: '/handbook/',
    dir: { input: 'content', includes: '../_includes', output: '_site' },
  };
}
