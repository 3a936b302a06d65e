import { SectionLinks } from '../../components/tables/section-links';

/** The pages about money. */
export function BillingSections() {
  return (
    <SectionLinks
      label="Billing pages"
      links={[
        ['/billing', 'Overview'],
        ['/billing/payments', 'Payments'],
        ['/billing/proof', 'Proof of the ledger'],
      ]}
    />
  );
}

/** The way to a page below billing. */
export const ABOVE = [{ title: 'Billing', to: '/billing' }];
