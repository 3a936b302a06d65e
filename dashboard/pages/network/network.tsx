import { Page } from '../../components/page';

export function NetworkPage() {
  return (
    <Page title="Network">
      <span />
    </Page>
  );
}
