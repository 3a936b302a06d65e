import type { LucideIcon } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { createStore, useStore } from './store';

/** Something that the palette can do. */
export interface Command {
  readonly title: string;
  readonly group: string;
  readonly icon?: LucideIcon;
  readonly run: () => unknown;
}

const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog')).PaletteDialog }));

export const isPaletteOpen = createStore(false);

/** What the page that is shown adds. */
export const pageCommands = createStore<readonly Command[]>([]);

/** Adds commands while the page is shown. Keep the list in a memo. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    pageCommands.set([...pageCommands.get(), ...commands]);
    return () => pageCommands.set(pageCommands.get().filter((command) => !commands.includes(command)));
  }, [commands]);
}

/** Opens with Ctrl+K: pages and commands by name. */
export function CommandPalette() {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isPaletteOpen.set(!isPaletteOpen.get());
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return <Suspense>{isOpen && <PaletteDialog />}</Suspense>;
}
