import { useMe } from '../../app/me';
import { SectionLinks } from '../../components/tables/section-links';

/** The pages about money. */
export function BillingSections() {
  const { roles } = useMe();
  const isAdmin = roles.includes('ADMIN') || roles.includes('SUPERUSER');
  return (
    <SectionLinks
      label="Billing pages"
      links={[
        ['/billing', 'Overview'],
        ['/billing/payments', 'Payments'],
        ...(isAdmin ? [['/billing/proof', 'Proof of the ledger'] as const] : []),
      ]}
    />
  );
}

/** The way to a page below billing. */
export const ABOVE = [{ title: 'Billing', to: '/billing' }];
