import { createStore } from '../runtime/store';

/** The colours that the user chose; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'archipelago.theme';
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

export const theme = createStore<Theme>(storedTheme());

/** Applies the theme now and whenever it changes. */
export function applyTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    document.documentElement.dataset.theme = chosen === 'system' ? (DARK.matches ? 'dark' : 'light') : chosen;
    localStorage.setItem(KEY, chosen);
  };
  apply();
  theme.subscribe(apply);
  DARK.addEventListener('change', apply);
}

/** Changes between light and dark. */
export function toggleTheme(): void {
  theme.set(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
