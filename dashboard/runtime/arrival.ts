import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Calls `arrive` when the page is shown, and again when the user goes to an address of the same page, as from the palette. */
export function useArrival(arrive: () => void): void {
  const key = useLocation({ select: ({ state }) => state.key });
  const path = useRef(location.pathname);
  const latest = useRef(arrive);
  latest.current = arrive;
  useEffect(() => {
    // The address of the next page comes before the page.
    if (location.pathname === path.current) latest.current();
  }, [key]);
}
