import { useEffect, useRef, useState } from 'react';

/** Screens on which the pages are in a drawer, as in the style sheet. */
const NARROW = '(max-width: 860px)';

/** The drawer of the pages on a narrow screen. It takes the focus, closes by Escape, by a link and when the screen becomes wide, and gives the focus back. */
export function useDrawer() {
  const [isOpen, setOpen] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    const { current: pages } = drawer;
    pages?.querySelector('a')?.focus();
    const close = () => setOpen(false);
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    const closeByLink = ({ target }: MouseEvent) => target instanceof Element && target.closest('a') && close();
    const narrow = matchMedia(NARROW);
    addEventListener('keydown', closeByKey);
    pages?.addEventListener('click', closeByLink);
    narrow.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', closeByKey);
      pages?.removeEventListener('click', closeByLink);
      narrow.removeEventListener('change', close);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  return { isOpen, setOpen, drawer };
}
