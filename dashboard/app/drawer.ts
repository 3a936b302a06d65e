import { useEffect, useRef, useState } from 'react';

/** The drawer of the pages on a narrow screen. It takes the focus, closes by Escape, and gives the focus back. */
export function useDrawer() {
  const [isOpen, setOpen] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    drawer.current?.querySelector('a')?.focus();
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    addEventListener('keydown', closeByKey);
    return () => {
      removeEventListener('keydown', closeByKey);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  return { isOpen, setOpen, drawer };
}
