import { cloneElement, Suspense, useState } from 'react';
import { lazyPart } from '../../runtime/code';
import { showError } from '../toasts';
import type { MenuProps } from './open-menu';

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
