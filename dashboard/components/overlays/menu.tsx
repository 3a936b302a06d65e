import type { LucideIcon } from 'lucide-react';
import { cloneElement, Suspense, useState, type ButtonHTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { lazyPart } from '../../runtime/code';
import { showError } from '../toasts';

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

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly heading?: ReactNode;
  readonly items: readonly MenuItem[];
}

const OpenMenu = lazyPart(async () => (await import('./open-menu')).OpenMenu);

/** A menu below a button. Its code is loaded when the pointer comes near or the button is pressed. */
export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  const open = async () => {
    await OpenMenu.load();
    setUsed(true);
  };
  const closed = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void OpenMenu.load().catch(() => undefined),
    onClick: () => void open().catch(showError),
  });
  if (!isUsed) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
