import { useEffect, type ReactNode } from 'react';
import { createStore } from '../runtime/store';

/** A step of the way to a page. */
export interface Crumb {
  readonly title: string;
  /** Missing for the page itself. */
  readonly to?: string;
  /** Values of the parameters in `to`. */
  readonly params?: Readonly<Record<string, string>>;
}

/** The way to the present page, which the top bar shows. */
export const crumbs = createStore<readonly Crumb[]>([]);

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The pages above this one. */
  readonly above?: readonly Crumb[];
  readonly actions?: ReactNode;
  /** Uses the whole width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

const NONE: readonly Crumb[] = [];

/** A page: sets the title of the window and the way to it. */
export function Page({ title, lead, above = NONE, actions, isWide = false, children }: PageProps) {
  const way = JSON.stringify(above);
  useEffect(() => {
    document.title = `${title} · Archipelago`;
    crumbs.set([...(JSON.parse(way) as readonly Crumb[]), { title }]);
  }, [title, way]);
  return (
    <div className={isWide ? 'page wide' : 'page'}>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="page-lead">{lead}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
