import { useEffect } from 'react';
import { connection } from './connection';

/**
 * Runs work whenever the window gets the focus, when the browser is online again, and when the websocket is live again after a
 * loss: meanwhile other programs may have changed what it shows. A short time offline does not end the websocket.
 */
export function useOnReturn(work: () => void): void {
  useEffect(() => {
    const events = ['focus', 'online'] as const;
    for (const event of events) window.addEventListener(event, work);
    return () => {
      for (const event of events) window.removeEventListener(event, work);
    };
  }, [work]);
  useEffect(() => {
    let isLost = connection.get() === 'lost';
    return connection.subscribe(() => {
      const state = connection.get();
      if (state === 'live' && isLost) work();
      if (state === 'live' || state === 'lost') isLost = state === 'lost';
    });
  }, [work]);
}
