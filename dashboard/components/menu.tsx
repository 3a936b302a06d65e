import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, type ReactNode } from 'react';

/** A line of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Draws a line above it. */
  readonly isApart?: boolean;
  readonly run: () => unknown;
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly heading?: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A menu below a button. */
export function Menu({ trigger, heading, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          {heading !== undefined && <DropdownMenu.Label className="menu-label">{heading}</DropdownMenu.Label>}
          {items.map((item) => (
            <Fragment key={item.label}>
              {item.isApart && <DropdownMenu.Separator className="menu-line" />}
              <MenuLine {...item} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function MenuLine({ label, icon: Icon, isDangerous = false, isDisabled = false, run }: MenuItem) {
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-item danger' : 'menu-item'}
      disabled={isDisabled}
      onSelect={() => void run()}
    >
      {Icon && <Icon className="icon" aria-hidden />}
      {label}
    </DropdownMenu.Item>
  );
}
