import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
}

/** Parts of a page of which one is shown. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <Primitive.Root
      className="stack"
      defaultValue={tabs[0]?.id ?? ''}
      {...(selected !== undefined && { value: selected })}
      {...(onSelect && { onValueChange: onSelect })}
    >
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
