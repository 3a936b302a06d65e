import { useEffect, useRef, useState } from 'react';

/** Takes the files that are dropped anywhere in the window. Returns whether files are over it. */
export function useFileDrop(drop: (transfer: DataTransfer) => unknown): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(drop);
  useEffect(() => void (take.current = drop));
  useEffect(() => {
    const listeners = {
      dragover: (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setOver(document.querySelector('[role="dialog"]') === null);
      },
      // Without another element, the pointer leaves the window.
      dragleave: (event: DragEvent) => event.relatedTarget === null && setOver(false),
      drop: (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setOver(false);
        if (document.querySelector('[role="dialog"]') === null) take.current(event.dataTransfer);
      },
    };
    const end = new AbortController();
    for (const [type, listener] of Object.entries(listeners))
      window.addEventListener(type, listener as (event: Event) => void, { signal: end.signal });
    return () => end.abort();
  }, []);
  return isOver;
}
