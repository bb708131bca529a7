// The default theme with the fonts of the system: no font is loaded.
import theme from 'vitepress/theme-without-fonts';
import './contrast.css';
import './scrolling.css';
import './targets.css';

export default theme;
