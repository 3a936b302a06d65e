import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { Provider } from 'urql';
import { confirm, ConfirmDialog } from './components/overlays/confirm';
import { Failure, Skeleton } from './components/states';
import { ToastCorner } from './components/overlays/toast-corner';
import { showError } from './components/toasts';
import { openClient } from './graphql/client';
import { connection } from './graphql/connection';
import { stoppedWords } from './app/running-transfers';
import { endSession, session, type Session } from './session/session';
import { lazyPart } from './runtime/code';
import { MeProvider } from './app/me';
import { Restoring } from './app/restoring';
import { makeRouter } from './app/router';
import { useStore } from './runtime/store';

const SignInPage = lazyPart(async () => (await import('./pages/sign-in/sign-in')).SignInPage);

/** The whole dashboard: the sign-in page, or the pages of who is signed in. */
export function App() {
  const current = useStore(session);
  if (current === undefined) return <Restoring />;
  return (
    <>
      <SessionView key={current?.id ?? ''} session={current} />
      <ToastCorner />
      <ConfirmDialog />
    </>
  );
}

function SessionView({ session: current }: { readonly session: Session | null }) {
  const api = useMemo(() => openClient(current !== null), [current]);
  useEffect(() => {
    return () => {
      api.close();
      connection.set('idle');
    };
  }, [api]);
  return (
    <Provider value={api.client}>
      <CatchBoundary getResetKey={() => ''} errorComponent={Away}>
        <Suspense>{current ? <Pages /> : <SignInPage />}</Suspense>
      </CatchBoundary>
    </Provider>
  );
}

function Pages() {
  const router = useMemo(() => makeRouter(() => void signOut().catch(showError)), []);
  return (
    <MeProvider fallback={(error) => <Away error={error} />}>
      <RouterProvider router={router} />
    </MeProvider>
  );
}

/** Signs out; if that stops uploads or downloads, only if the user agrees. */
async function signOut(): Promise<void> {
  const text = stoppedWords();
  if (text === '' || (await confirm({ title: 'Sign out?', text, action: 'Sign out' }))) await endSession();
}

function Away({ error }: { readonly error: unknown }) {
  if (error === undefined) return <Skeleton lines={6} />;
  return <Failure error={error} onRetry={() => location.reload()} />;
}
