import type { LucideIcon } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { showError } from '../../components/toasts';
import { lazyPart } from '../../runtime/code';
import { createStore, useStore } from '../../runtime/store';

/** An entry of the palette. */
export interface Command {
  readonly title: string;
  readonly group: string;
  readonly icon?: LucideIcon;
  readonly run: () => unknown;
}

const PaletteDialog = lazyPart(async () => (await import('./palette-dialog')).PaletteDialog);

export const isPaletteOpen = createStore(false);

/** Commands of the current page. */
export const pageCommands = createStore<readonly Command[]>([]);

/** Adds commands while the page is shown. Keep the list in a memo. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    pageCommands.set([...pageCommands.get(), ...commands]);
    return () => pageCommands.set(pageCommands.get().filter((command) => !commands.includes(command)));
  }, [commands]);
}

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
