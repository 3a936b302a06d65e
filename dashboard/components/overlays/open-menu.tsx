import { DropdownMenu } from 'radix-ui';
import { Fragment } from 'react';
import type { MenuItem, MenuProps } from './menu';
import { showError } from './toasts';

/** A menu that begins open. */
export function OpenMenu({ trigger, heading, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
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
  const select = async () => run();
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-item danger' : 'menu-item'}
      disabled={isDisabled}
      onSelect={() => void select().catch(showError)}
    >
      {Icon && <Icon className="icon" aria-hidden />}
      {label}
    </DropdownMenu.Item>
  );
}
