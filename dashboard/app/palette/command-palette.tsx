import { Suspense, useEffect } from 'react';
import { showError } from '../../components/toasts';
import { lazyPart } from '../../runtime/code';
import { useStore } from '../../runtime/store';
import { isPaletteOpen } from './commands';

const PaletteDialog = lazyPart(async () => (await import('./palette-dialog')).PaletteDialog);

/** Opens the palette, as soon as its code is loaded. */
export function openPalette(): void {
  void PaletteDialog.load().then(() => isPaletteOpen.set(true), showError);
}

/** Opens with Ctrl+K: pages and commands by name. */
export function CommandPalette() {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (isPaletteOpen.get()) isPaletteOpen.set(false);
      else openPalette();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return <Suspense>{isOpen && <PaletteDialog />}</Suspense>;
}
