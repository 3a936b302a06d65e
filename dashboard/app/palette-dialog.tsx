import { useNavigate } from '@tanstack/react-router';
import { Moon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useFocusReturn } from '../components/overlays/dialog';
import { showError } from '../components/overlays/toasts';
import { PAGES } from '../routes';
import { isPaletteOpen, pageCommands, type Command } from './command-palette';
import { hasRole, useMe } from './me';
import { useStore } from './store';
import { toggleTheme } from './theme';

const MAX_SHOWN = 50;

/** The open command palette. */
export function PaletteDialog() {
  const focusReturn = useFocusReturn();
  return (
    <Dialog.Root open onOpenChange={(open) => isPaletteOpen.set(open)}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-backdrop" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined} {...focusReturn}>
          <Dialog.Title className="unseen">Commands</Dialog.Title>
          <Palette />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const found = useFound(text);
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setChosen((found.length + chosen + move) % Math.max(found.length, 1));
    else if (event.key === 'Enter') void run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        placeholder="Go to a page or run a command"
        aria-label="Search pages and commands"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[chosen] && `${listId}-${chosen}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <ul id={listId} role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <PaletteItem
            key={`${command.group} ${command.title}`}
            id={`${listId}-${index}`}
            command={command}
            isChosen={index === chosen}
            onRun={() => void run(command)}
          />
        ))}
        {found.length === 0 && <li className="palette-item muted">No results.</li>}
      </ul>
    </>
  );
}

/** Closes the palette and runs a command; an error becomes a toast. */
async function run(command: Command | undefined): Promise<void> {
  isPaletteOpen.set(false);
  try {
    await command?.run();
  } catch (error) {
    showError(error);
  }
}

interface PaletteItemProps {
  readonly id: string;
  readonly command: Command;
  readonly isChosen: boolean;
  readonly onRun: () => void;
}

function PaletteItem({ id, command: { icon: Icon, title, group }, isChosen, onRun }: PaletteItemProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li ref={item} id={id} role="option" aria-selected={isChosen} className="palette-item" onClick={onRun}>
      {Icon && <Icon className="icon" aria-hidden />}
      {title}
      <span className="muted small">{group}</span>
    </li>
  );
}

function useFound(text: string): readonly Command[] {
  const navigate = useNavigate();
  const added = useStore(pageCommands);
  const isAdmin = hasRole(useMe(), 'ADMIN');
  return useMemo(() => {
    const shown = PAGES.filter(({ group, isForAdmins }) => group !== undefined && (isAdmin || !isForAdmins));
    const pages = shown.map(({ path, title, icon }) => ({
      title,
      icon,
      group: 'Page',
      run: () => navigate({ to: path }),
    }));
    const theme = { title: 'Switch theme', group: 'Command', icon: Moon, run: toggleTheme };
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return [...added, ...pages, theme]
      .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
      .slice(0, MAX_SHOWN);
  }, [text, added, isAdmin, navigate]);
}
