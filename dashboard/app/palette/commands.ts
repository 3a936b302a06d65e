import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { createStore } from '../../runtime/store';

/** An entry of the palette. */
export interface Command {
  readonly title: string;
  readonly group: string;
  readonly icon?: LucideIcon;
  readonly run: () => unknown;
}

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
