import { Tabs as Primitive } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { useArrival } from '../../runtime/arrival';

interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** The parameter of the address that names the tab. */
const PARAMETER = 'view';

/** Parts of a page; one is shown. The address names it, so that a reload or a link shows it again. */
export function Tabs({ label, tabs }: TabsProps) {
  const [first] = tabs;
  const [selected, setSelected] = useState(() => viewOf(location.search));
  useArrival(() => setSelected(viewOf(location.search)));
  const shown = tabs.find(({ id }) => id === selected) ?? first;
  const select = (id: string) => {
    setSelected(id);
    keepInAddress(id === first?.id ? undefined : id);
  };
  return (
    <Primitive.Root className="stack" value={shown?.id ?? ''} onValueChange={select}>
      <div>
        <Primitive.List className="segments" aria-label={label}>
          {tabs.map(({ id, title }) => (
            <Primitive.Trigger key={id} value={id}>
              {title}
            </Primitive.Trigger>
          ))}
        </Primitive.List>
      </div>
      {tabs.map(({ id, content }) => (
        <Primitive.Content key={id} value={id}>
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}

function viewOf(search: string): string | null {
  return new URLSearchParams(search).get(PARAMETER);
}

function keepInAddress(id: string | undefined): void {
  const address = new URL(location.href);
  if (id === undefined) address.searchParams.delete(PARAMETER);
  else address.searchParams.set(PARAMETER, id);
  history.replaceState(history.state, '', address);
}
