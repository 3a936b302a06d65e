import { useState, type ReactNode } from 'react';
import { Button } from '../forms/button';

interface OlderProps {
  /** The cursor of the next page; null: there is none. */
  readonly next: string | null;
  /** Shows the page of a cursor. */
  readonly children: (cursor: string) => ReactNode;
}

/** The next page of a list below its page before, once it is opened. */
export function Older({ next, children }: OlderProps) {
  const [isOpen, setOpen] = useState(false);
  if (next === null) return null;
  if (isOpen) return children(next);
  return (
    <div className="lines-end">
      <Button onPress={() => setOpen(true)}>Older</Button>
    </div>
  );
}
