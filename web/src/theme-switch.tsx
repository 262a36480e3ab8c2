import { useState } from 'preact/hooks';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'theme';

const ICONS: Record<Theme, string> = {
  system: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
};

// As early as a module script can, so that the first paint has the right colours.
apply(readTheme());

export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme) => {
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // Storage can be forbidden; the choice then lasts until the page is closed.
    }
    apply(chosen);
    setTheme(chosen);
  };
  return (
    <div class="theme" title={`Theme: ${theme}`}>
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        aria-hidden="true"
      >
        <path d={ICONS[theme]} />
        {theme === 'system' && <path d="M12 3a9 9 0 1 0 0 18z" fill="currentColor" />}
      </svg>
      <select aria-label="Theme" value={theme} onChange={(event) => choose(themeOf(event.currentTarget.value))}>
        {THEMES.map((value) => (
          <option key={value} value={value}>
            {value[0]?.toUpperCase() + value.slice(1)}
          </option>
        ))}
      </select>
    </div>
  );
}

function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(KEY));
  } catch {
    return 'system';
  }
}

function themeOf(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
