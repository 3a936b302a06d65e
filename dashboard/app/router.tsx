import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Page } from '../components/page';
import { Empty, Failure, Skeleton } from '../components/states';
import { PAGES } from '../routes';
import { Layout } from './layout';

/** Makes the router of all pages. */
export function makeRouter(signOut: () => void) {
  const root = createRootRoute({ component: () => <Layout onSignOut={signOut} />, notFoundComponent: NotFoundPage });
  const pages = PAGES.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Page') }),
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
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <Failure error={error} onRetry={retry} />;
}
