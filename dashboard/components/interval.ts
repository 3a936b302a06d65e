import { useEffect } from 'react';

/** Calls `work` every `milliseconds` while `isOn` and the page is visible. A new function starts the interval again. */
export function useInterval(isOn: boolean, milliseconds: number, work: () => void): void {
  useEffect(() => {
    const run = () => {
      if (document.visibilityState === 'visible') work();
    };
    const timer = isOn ? setInterval(run, milliseconds) : undefined;
    return () => clearInterval(timer);
  }, [isOn, milliseconds, work]);
}
