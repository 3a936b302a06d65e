import { useNavigate } from '@tanstack/react-router';
import { Moon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useFocusReturn } from '../../components/overlays/dialog';
import { showError } from '../../components/toasts';
import { PAGES } from '../../routes';
import { isPaletteOpen, pageCommands, type Command } from './commands';
import { hasRole, useMe } from '../me';
import { useItems, type Items } from './palette-items';
import { useStore } from '../../runtime/store';
import { toggleTheme } from '../theme';

const MAX_COMMANDS = 50;

/** Items of one kind that are listed; a longer search text finds the others. */
const MAX_OF_KIND = 8;

/** The open command palette. */
export function PaletteDialog() {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  const chosen = useRef<Command>(undefined);
  const choose = (command: Command) => {
    chosen.current = command;
    isPaletteOpen.set(false);
  };
  // The command runs last, so that it can move the focus.
  const close = (event: Event) => {
    event.preventDefault();
    onCloseAutoFocus();
    if (chosen.current) void run(chosen.current);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => isPaletteOpen.set(open)}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-backdrop" />
        <Dialog.Content
          className="dialog palette"
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={close}
        >
          <Dialog.Title className="unseen">Commands</Dialog.Title>
          <Palette onChoose={choose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteProps {
  readonly onChoose: (command: Command) => void;
}

function Palette({ onChoose }: PaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const items = useItems();
  const sections = useSections(text, items);
  const found = sections.flatMap(({ entries }) => entries);
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setChosen((found.length + chosen + move) % Math.max(found.length, 1));
    else if (event.key !== 'Enter') return;
    else if (found[chosen]) onChoose(found[chosen]);
    event.preventDefault();
  };
  return (
    <>
      <input
        placeholder="Search pages, machines, folders …"
        aria-label="Search pages, commands and items"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found[chosen] && CHOSEN_ID}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <Results id={listId} sections={sections} chosen={found[chosen]} onChoose={onChoose} />
      <p className="palette-note muted" role="status">
        {noteOf(text, items, found.length)}
      </p>
    </>
  );
}

/** The line below the results: loading, failed or no results. */
function noteOf(text: string, { state }: Items, count: number): string {
  if (text.trim() === '') return '';
  if (state === 'loading') return 'Loading your machines, folders and other items …';
  if (state === 'failed') return 'Some of your items could not be loaded.';
  return count === 0 ? `No results for “${text.trim()}”` : '';
}

/** Runs a command; an error becomes a toast. */
async function run(command: Command): Promise<void> {
  try {
    await command.run();
  } catch (error) {
    showError(error);
  }
}

interface ResultsProps extends PaletteProps {
  readonly id: string;
  readonly sections: readonly Section[];
  readonly chosen: Command | undefined;
}

/** The results, under a heading for each kind of item. */
function Results({ id, sections, chosen, onChoose }: ResultsProps) {
  return (
    <div id={id} className="palette-list" role="listbox" aria-label="Results" hidden={sections.length === 0}>
      {sections.map(({ heading, entries }) => (
        <div key={heading} role="group" aria-label={heading}>
          {heading !== COMMANDS && (
            <div className="palette-heading" aria-hidden>
              {heading}
            </div>
          )}
          {entries.map((entry, index) => (
            <PaletteItem key={index} entry={entry} isChosen={entry === chosen} onChoose={onChoose} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The id of the option that Enter runs. */
const CHOSEN_ID = 'palette-chosen';

interface PaletteItemProps extends PaletteProps {
  readonly entry: Command;
  readonly isChosen: boolean;
}

function PaletteItem({ entry, isChosen, onChoose }: PaletteItemProps) {
  const { icon: Icon, title, group } = entry;
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={item}
      id={isChosen ? CHOSEN_ID : undefined}
      role="option"
      aria-selected={isChosen}
      className="palette-item"
      onClick={() => onChoose(entry)}
    >
      {Icon && <Icon className="icon" aria-hidden />}
      <span className="truncate">{title}</span>
      <span className="muted small">{group}</span>
    </div>
  );
}

/** The results of one kind. */
interface Section {
  readonly heading: string;
  readonly entries: readonly Command[];
}

const COMMANDS = 'Pages and commands';

/** Pages and commands, and below them the items of the user once something is typed. */
function useSections(text: string, { groups }: Items): readonly Section[] {
  const navigate = useNavigate();
  const commands = useCommandsOfPalette();
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (name: string) => words.every((word) => name.toLowerCase().includes(word));
    const items = groups.map(({ heading, icon, items }) => ({
      heading,
      entries: items
        .filter(({ title, detail = '' }) => words.length > 0 && matches(`${title} ${detail}`))
        .slice(0, MAX_OF_KIND)
        .map(({ title, detail = '', href }) => ({ title, group: detail, icon, run: () => navigate({ href }) })),
    }));
    const found = commands.filter(({ title }) => matches(title)).slice(0, MAX_COMMANDS);
    return [{ heading: COMMANDS, entries: found }, ...items].filter(({ entries }) => entries.length > 0);
  }, [text, groups, commands, navigate]);
}

function useCommandsOfPalette(): readonly Command[] {
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
    return [...added, ...pages, { title: 'Switch theme', group: 'Command', icon: Moon, run: toggleTheme }];
  }, [added, isAdmin, navigate]);
}
