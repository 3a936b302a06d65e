import { useEffect } from 'react';

/** Runs work whenever the window gets the focus: meanwhile other programs may have changed what it shows. */
export function useOnFocus(work: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', work);
    return () => window.removeEventListener('focus', work);
  }, [work]);
}
