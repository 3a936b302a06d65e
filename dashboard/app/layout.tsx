import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { LogOut, Menu as MenuIcon, Moon, Search, UserRound, WifiOff } from 'lucide-react';
import { Fragment, useEffect, type RefObject } from 'react';
import { Button } from '../components/forms/button';
import { Menu } from '../components/overlays/menu';
import { crumbs } from '../components/page';
import { connection } from '../graphql/connection';
import { NAVIGATION_GROUPS, PAGES, type PageEntry } from '../routes';
import { BalanceLink, BalanceProvider } from './balance';
import { NotificationBell } from './bell';
import { CommandPalette, openPalette } from './palette/command-palette';
import { useDrawer } from './drawer';
import { hasRole, useMe } from './me';
import { useIsOnline } from '../runtime/online';
import { useStore } from '../runtime/store';
import { toggleTheme } from './theme';

/** The frame of every page: sidebar, top bar, content. */
export function Layout({ onSignOut }: { readonly onSignOut: () => void }) {
  const { isOpen, setOpen, drawer } = useDrawer();
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname, setOpen]);
  return (
    <BalanceProvider>
      <div className="shell">
        <a className="skip" href="#content">
          Skip to content
        </a>
        <Sidebar isOpen={isOpen} drawer={drawer} />
        {isOpen && (
          <button
            type="button"
            className="drawer-backdrop"
            aria-label="Close the menu"
            onClick={() => setOpen(false)}
          />
        )}
        <div className="main-column" inert={isOpen}>
          <TopBar onMenu={() => setOpen(true)} onSignOut={onSignOut} />
          <OfflineBanner />
          <main id="content" className="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <CommandPalette />
      </div>
    </BalanceProvider>
  );
}

function Sidebar({ isOpen, drawer }: { readonly isOpen: boolean; readonly drawer: RefObject<HTMLElement | null> }) {
  const isAdmin = hasRole(useMe(), 'ADMIN');
  const shown = PAGES.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
  return (
    <aside ref={drawer} className={isOpen ? 'sidebar open' : 'sidebar'}>
      <Link to="/" className="brand">
        <img src="/dashboard/icon.svg" alt="" width="24" height="24" />
        Archipelago
      </Link>
      <nav className="nav" aria-label="Pages">
        {NAVIGATION_GROUPS.map((group) => (
          <NavGroup key={group} title={group} pages={shown.filter((page) => page.group === group)} />
        ))}
      </nav>
      <div className="sidebar-end">
        <a className="nav-link" href="/graphql">
          GraphQL explorer
        </a>
        <a className="nav-link" href="/api/docs/">
          REST reference
        </a>
      </div>
    </aside>
  );
}

function NavGroup({ title, pages }: { readonly title: string; readonly pages: readonly PageEntry[] }) {
  if (pages.length === 0) return null;
  return (
    <div className="nav-group">
      {title !== '' && <p className="nav-title">{title}</p>}
      {pages.map(({ path, title: name, icon: Icon }) => (
        <Link key={path} to={path} className="nav-link" activeOptions={{ exact: path === '/' }}>
          <Icon className="icon" aria-hidden />
          {name}
        </Link>
      ))}
    </div>
  );
}

function TopBar({ onMenu, onSignOut }: { readonly onMenu: () => void; readonly onSignOut: () => void }) {
  return (
    <header className="topbar">
      <Button className="topbar-menu" kind="quiet" icon={MenuIcon} label="Open the menu" onPress={onMenu} />
      <Breadcrumbs />
      <div className="grow" />
      <ConnectionStatus />
      <button type="button" className="search-button" onClick={openPalette}>
        <Search className="icon" aria-hidden />
        <span className="search-text">Search</span>
        <span className="kbd" aria-hidden>
          Ctrl K
        </span>
      </button>
      <BalanceLink />
      <NotificationBell />
      <UserMenu onSignOut={onSignOut} />
    </header>
  );
}

function UserMenu({ onSignOut }: { readonly onSignOut: () => void }) {
  const me = useMe();
  return (
    <Menu
      trigger={
        <button type="button" className="button quiet icon-only" aria-label="Account">
          <UserRound className="icon" aria-hidden />
        </button>
      }
      heading={<span className="mono">{shortened(me.username)}</span>}
      items={[
        { label: 'Switch theme', icon: Moon, run: toggleTheme },
        { label: 'Sign out', icon: LogOut, isApart: true, run: onSignOut },
      ]}
    />
  );
}

function shortened(name: string): string {
  return name.length > 20 ? `${name.slice(0, 10)}…${name.slice(-6)}` : name;
}

function Breadcrumbs() {
  const breadcrumbs = useStore(crumbs);
  return (
    <nav className="crumbs" aria-label="Breadcrumbs">
      <ol>
        {breadcrumbs.map(({ title, to, params = {} }, depth) => (
          <Fragment key={depth}>
            {depth > 0 && <li aria-hidden>/</li>}
            <li>
              {to === undefined ? (
                <span aria-current="page">{title}</span>
              ) : (
                <Link to={to} params={params}>
                  {title}
                </Link>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

const CONNECTION_LABELS = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting' } as const;

function ConnectionStatus() {
  const state = useStore(connection);
  const isOnline = useIsOnline();
  // A browser reports a lost websocket much later than that it is offline.
  if (state === 'idle' || !isOnline) return null;
  const tone = state === 'live' ? 'good' : 'warn';
  return (
    <span className="connection" role="status">
      <span className={`dot ${tone}`} aria-hidden />
      <span>{CONNECTION_LABELS[state]}</span>
    </span>
  );
}

function OfflineBanner() {
  if (useIsOnline()) return <div />; // keeps the row of the grid
  return (
    <p className="banner" role="alert">
      <WifiOff className="icon" aria-hidden />
      You are offline. What you see may be out of date; it reloads when you are online again.
    </p>
  );
}
