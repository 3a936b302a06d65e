import { useMemo } from 'react';
import { useQuery } from 'urql';
import { AuditLogCard } from './audit-log-card';
import { Page } from '../../components/page';
import { AccountSections } from './sections';
import { ACCESS, waysOf } from './access';

/** What you, your programs and others for you changed, with the token or session that did it. */
export function AuditLogPage() {
  const [{ data }] = useQuery({ query: ACCESS });
  const names = useMemo(() => new Map(data && waysOf(data).map(({ id, name }) => [id, name])), [data]);
  return (
    <Page
      title="Audit log"
      lead="Every change that was made in your name, and the token or session that made it; also what administrators and the platform changed for you."
      above={[{ title: 'Sessions and tokens', to: '/account' }]}
    >
      <AccountSections />
      <AuditLogCard names={names} />
    </Page>
  );
}
