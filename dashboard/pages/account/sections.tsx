import { SectionLinks } from '../../components/tables/section-links';

/** The pages about what acts in your name. */
export function AccountSections() {
  return (
    <SectionLinks
      label="Account pages"
      links={[
        ['/account', 'Sessions and tokens'],
        ['/account/audit-log', 'Audit log'],
      ]}
    />
  );
}
