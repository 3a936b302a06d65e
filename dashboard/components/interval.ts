import { useEffect } from 'react';

/** Does work again and again while it is on and the page is seen. */
export function useInterval(isOn: boolean, milliseconds: number, work: () => void): void {
  useEffect(() => {
    const run = () => {
      if (document.visibilityState === 'visible') work();
    };
    const timer = isOn ? setInterval(run, milliseconds) : undefined;
    return () => clearInterval(timer);
  }, [isOn, milliseconds, work]);
}
