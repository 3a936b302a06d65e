import { useEffect } from 'react';
import { connection } from '../graphql/connection';

/**
 * Runs work whenever the window gets the focus, and when the websocket is live again after a loss: meanwhile other programs may
 * have changed what it shows.
 */
export function useOnReturn(work: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', work);
    return () => window.removeEventListener('focus', work);
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
