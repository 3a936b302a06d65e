import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { CircleAlert, Compass, RefreshCw } from 'lucide-react';
import { Button } from '../components/forms/button';
import { Page } from '../components/page';
import { Empty, Failure, Skeleton } from '../components/states';
import { PAGES } from '../routes';
import { CodeMissing, loadCode } from '../runtime/code';
import { Layout } from './layout';
import { useIsOnline } from '../runtime/online';

/** Makes the router of all pages. */
export function makeRouter(signOut: () => void) {
  const root = createRootRoute({ component: () => <Layout onSignOut={signOut} />, notFoundComponent: NotFoundPage });
  const pages = PAGES.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(() => loadCode(load), 'Page') }),
  );
  return createRouter({
    routeTree: root.addChildren(pages),
    defaultPreload: 'intent',
    defaultPendingComponent: () => <Skeleton lines={6} />,
    defaultErrorComponent: BrokenPage,
  });
}

function NotFoundPage() {
  return (
    <Page title="Not found">
      <Empty icon={Compass} title="There is nothing at this address" action={<Link to="/">Go to the start page</Link>}>
        The link may be out of date, or its target was deleted.
      </Empty>
    </Page>
  );
}

function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOnline = useIsOnline();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  // A browser may remember that code is missing until the page is loaded again.
  const isReloaded = error instanceof CodeMissing && isOnline;
  const reload = (
    <Button icon={RefreshCw} onPress={() => location.reload()}>
      Load the new version
    </Button>
  );
  return (
    <Page title="This page could not be loaded">
      {isReloaded ? (
        <Empty icon={CircleAlert} title="Part of the page is missing" action={reload}>
          The server may have a newer version of the dashboard.
        </Empty>
      ) : (
        <Failure error={error} onRetry={retry} />
      )}
    </Page>
  );
}
