import { ShieldCheck } from 'lucide-react';
import { hasRole, useMe } from '../../app/me';
import { Page } from '../../components/page';
import { Empty } from '../../components/states';
import { Tabs } from '../../components/tables/tabs';
import { Catalogue } from './catalogue';
import { Drift, LedgerProofCard } from './checks';
import { FlaggedPayments } from './flagged-payments';
import { StoragePriceCard } from './storage-price';
import { UserList } from './users';

/** What administrators look after. */
export function AdminPage() {
  if (!hasRole(useMe(), 'ADMIN')) return <RefusalPage />;
  return (
    <Page title="Administration" lead="Users and credits, what machines can be made of, and whether the books agree.">
      <Tabs
        label="Parts of the administration"
        tabs={[
          { id: 'users', title: 'Users', content: <UserList /> },
          { id: 'catalogue', title: 'Catalogue', content: <Offers /> },
          { id: 'payments', title: 'Payments', content: <FlaggedPayments /> },
          { id: 'ledger', title: 'Ledger', content: <LedgerProofCard /> },
          { id: 'drift', title: 'Drift', content: <Drift /> },
        ]}
      />
    </Page>
  );
}

/** What is offered, and what it costs. */
function Offers() {
  return (
    <div className="stack">
      <Catalogue />
      <StoragePriceCard />
    </div>
  );
}

function RefusalPage() {
  return (
    <Page title="Administration">
      <Empty icon={ShieldCheck} title="This page needs the role ADMIN" />
    </Page>
  );
}
