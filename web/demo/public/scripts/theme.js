// Sets the light or dark theme before the page is drawn, and changes it with the button in the header. The choice is kept
// in localStorage, or only until the page is left where that is denied.
(() => {
  const key = 'ambry-theme';
  const choices = ['auto', 'light', 'dark'];
  const texts = { auto: 'automatic', light: 'light', dark: 'dark' };
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');

  function kept() {
    try {
      const choice = localStorage.getItem(key);
      return choices.includes(choice) ? choice : 'auto';
    } catch {
      return 'auto';
    }
  }

  function keep(choice) {
    try {
      if (choice === 'auto') localStorage.removeItem(key);
      else localStorage.setItem(key, choice);
    } catch {
      // The choice holds for this page.
    }
  }

  function show(choice) {
    root.dataset.themeChoice = choice;
    const automatic = prefersDark.matches ? 'dark' : 'light';
    root.dataset.theme = choice === 'auto' ? automatic : choice;
    const button = document.getElementById('theme');
    if (button !== null) {
      button.title = `Theme: ${texts[choice]}`;
      button.setAttribute('aria-label', button.title);
    }
  }

  show(kept());
  prefersDark.addEventListener('change', () => show(root.dataset.themeChoice));
  // Another tab of the site has another choice now.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) show(kept());
  });
  document.addEventListener('DOMContentLoaded', () => {
    show(root.dataset.themeChoice);
    document.getElementById('theme')?.addEventListener('click', () => {
      const next = choices[(choices.indexOf(root.dataset.themeChoice) + 1) % choices.length];
      keep(next);
      show(next);
    });
  });
})();
