// The default theme with the typeface, the colours and the header of the demo pages.
import { type EnhanceAppContext, useData } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h, watchEffect } from 'vue';
import '../../../web/demo/styles/tokens.css';
import '../../../web/demo/styles/font.css';
import '../../../web/demo/styles/forced-colours.css';
import './house.css';
import './header.css';
import './contrast.css';
import './scrolling.css';
import './targets.css';
import './forced.css';
import { logo } from './logo.ts';
import { sidebarsOf } from './sidebars.ts';

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'nav-bar-title-before': logo }),
  enhanceApp({ siteData }: EnhanceAppContext) {
    const { themeConfig } = siteData.value;
    if (Array.isArray(themeConfig.sidebar)) {
      const sidebar = sidebarsOf(themeConfig.sidebar);
      siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, sidebar } };
    }
  },
  setup() {
    const { isDark } = useData();
    // The styles ask for it. Before a page is drawn, the script of the demo pages sets it.
    watchEffect(() => {
      if (!import.meta.env.SSR) {
        document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
      }
    });
  },
};
