import { Slot } from 'radix-ui';
import { useEffect, type ReactNode } from 'react';

let locks = 0;

/** Keeps the page behind a dialog from scrolling. Replaces `react-remove-scroll`, which inserts style elements. */
export function RemoveScroll({
  children,
  enabled = true,
}: {
  readonly children: ReactNode;
  readonly enabled?: boolean;
}) {
  useEffect(() => {
    if (!enabled) return undefined;
    locks += 1;
    document.body.classList.add('scroll-locked');
    return () => {
      locks -= 1;
      if (locks === 0) document.body.classList.remove('scroll-locked');
    };
  }, [enabled]);
  return <Slot.Root>{children}</Slot.Root>;
}
