import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import './styles/overlays.css';
import { App } from './app/app';
import { applyTheme } from './app/theme';
import { restoreSession } from './session/session';

/** A younger page is not loaded again, so that a file that is missing for good does not reload it for ever. */
const MIN_AGE_MS = 10_000;

applyTheme();
void restoreSession();

// A new version of the dashboard has other file names: load it as a whole.
window.addEventListener('vite:preloadError', (event) => {
  if (performance.now() < MIN_AGE_MS) return;
  event.preventDefault();
  location.reload();
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
