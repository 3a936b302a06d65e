import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import './styles/overlays.css';
import { App } from './app';
import { applyTheme } from './app/theme';
import { keepFocus } from './components/overlays/keep-focus';
import { restoreSession } from './session/session';

applyTheme();
keepFocus();
void restoreSession();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
