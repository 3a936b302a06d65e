import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, useRef, type ButtonHTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { showError } from '../toasts';

/** A line of a menu. */
interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Draws a line above it. */
  readonly isApart?: boolean;
  readonly run: () => unknown;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly heading?: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A menu that begins open. */
export function OpenMenu({ trigger, heading, items }: MenuProps) {
  const chosen = useRef<MenuItem['run'] | undefined>(undefined);
  // After the menu has given the focus back, so that a dialog that opens gives it back to the same button.
  const close = () => {
    const run = chosen.current;
    chosen.current = undefined;
    if (run) queueMicrotask(() => void perform(run).catch(showError));
  };
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} onCloseAutoFocus={close}>
          {heading !== undefined && <DropdownMenu.Label className="menu-label">{heading}</DropdownMenu.Label>}
          {items.map((item) => (
            <Fragment key={item.label}>
              {item.isApart && <DropdownMenu.Separator className="menu-line" />}
              <MenuLine {...item} run={() => (chosen.current = item.run)} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

async function perform(run: MenuItem['run']): Promise<void> {
  await run();
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
