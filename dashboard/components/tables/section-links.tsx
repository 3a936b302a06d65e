import { Link } from '@tanstack/react-router';
import './section-links.css';

interface SectionLinksProps {
  readonly label: string;
  readonly links: readonly (readonly [to: string, title: string])[];
}

/** Links to the pages of a section; the current one is marked. */
export function SectionLinks({ label, links }: SectionLinksProps) {
  return (
    <nav aria-label={label} className="section-links">
      {links.map(([to, title]) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
