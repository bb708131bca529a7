// Where the browser keeps the theme that a visitor chose. public/scripts/theme.js of the demo pages has the same name.
export const themeKey = 'ambry-theme';
