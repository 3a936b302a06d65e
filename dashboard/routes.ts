import {
  Archive,
  BadgeCheck,
  Bell,
  Box,
  Code,
  CreditCard,
  FolderLock,
  House,
  KeyRound,
  Network,
  Server,
  ShieldCheck,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';

/** The headings of the sidebar, in order. */
export const NAVIGATION_GROUPS = ['', 'Infrastructure', 'Data', 'Account', 'Platform'] as const;

/** A page of the dashboard. */
export interface PageEntry {
  /** URL path; `$name` is a parameter. Its first segment is in DASHBOARD_SECTIONS of gateway/pages/pages.ts. */
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Where the sidebar shows it; missing for pages that others lead to. */
  readonly group?: (typeof NAVIGATION_GROUPS)[number];
  /** Shows it in the sidebar and in the palette of administrators only. */
  readonly isForAdmins?: boolean;
  /** Loads the code of the page when it is opened. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}

/** Every page. To add one: a folder in pages/ and an entry here. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Home',
    icon: House,
    group: '',
    load: async () => ({ Page: (await import('./pages/home/home')).HomePage }),
  },
  {
    path: '/network',
    title: 'Network',
    icon: Network,
    group: 'Infrastructure',
    load: async () => ({ Page: (await import('./pages/network/network')).NetworkPage }),
  },
  {
    path: '/files',
    title: 'Files',
    icon: FolderLock,
    group: 'Data',
    load: async () => ({ Page: (await import('./pages/files/files')).FilesPage }),
  },
  {
    path: '/files/deleted',
    title: 'Deleted folders',
    icon: FolderLock,
    load: async () => ({ Page: (await import('./pages/files/deleted')).DeletedFoldersPage }),
  },
  {
    path: '/files/$folder/$',
    title: 'Folder',
    icon: FolderLock,
    load: async () => ({ Page: (await import('./pages/files/folder')).FolderPage }),
  },
  {
    path: '/buckets',
    title: 'Buckets',
    icon: Archive,
    group: 'Data',
    load: async () => ({ Page: (await import('./pages/buckets/buckets')).BucketsPage }),
  },
  {
    path: '/models',
    title: 'Models',
    icon: Box,
    group: 'Data',
    load: async () => ({ Page: (await import('./pages/models/models')).ModelsPage }),
  },
  {
    path: '/models/$project/$',
    title: 'Model',
    icon: Box,
    load: async () => ({ Page: (await import('./pages/models/model')).ModelPage }),
  },
  {
    path: '/certificates',
    title: 'Certificates',
    icon: BadgeCheck,
    group: 'Infrastructure',
    load: async () => ({ Page: (await import('./pages/certificates/certificates')).CertificatesPage }),
  },
  {
    path: '/machines',
    title: 'Machines',
    icon: Server,
    group: 'Infrastructure',
    load: async () => ({ Page: (await import('./pages/machines/machines')).MachinesPage }),
  },
  {
    path: '/machines/new',
    title: 'Create a machine',
    icon: Server,
    load: async () => ({ Page: (await import('./pages/machines/create')).CreateMachinePage }),
  },
  {
    path: '/machines/$id',
    title: 'Machine',
    icon: Server,
    load: async () => ({ Page: (await import('./pages/machines/machine')).MachinePage }),
  },
  {
    path: '/billing',
    title: 'Billing',
    icon: CreditCard,
    group: 'Account',
    load: async () => ({ Page: (await import('./pages/billing/billing')).BillingPage }),
  },
  {
    path: '/billing/payments',
    title: 'Payments',
    icon: CreditCard,
    load: async () => ({ Page: (await import('./pages/billing/payments')).PaymentsPage }),
  },
  {
    path: '/billing/payments/$id',
    title: 'Payment',
    icon: CreditCard,
    load: async () => ({ Page: (await import('./pages/billing/payment')).PaymentPage }),
  },
  {
    path: '/billing/proof',
    title: 'Proof of the ledger',
    icon: CreditCard,
    load: async () => ({ Page: (await import('./pages/billing/proof/proof')).ProofPage }),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    icon: Bell,
    group: 'Account',
    load: async () => ({ Page: (await import('./pages/notifications/notifications')).NotificationsPage }),
  },
  {
    path: '/notifications/preferences',
    title: 'Notification preferences',
    icon: Bell,
    load: async () => ({ Page: (await import('./pages/notifications/preferences')).PreferencesPage }),
  },
  {
    path: '/notifications/webhooks',
    title: 'Webhooks',
    icon: Bell,
    load: async () => ({ Page: (await import('./pages/notifications/webhooks')).WebhooksPage }),
  },
  {
    path: '/notifications/webhooks/$id',
    title: 'Webhook',
    icon: Bell,
    load: async () => ({ Page: (await import('./pages/notifications/webhook')).WebhookPage }),
  },
  {
    path: '/account',
    title: 'Sessions and tokens',
    icon: KeyRound,
    group: 'Account',
    load: async () => ({ Page: (await import('./pages/account/account')).AccountPage }),
  },
  {
    path: '/account/audit-log',
    title: 'Audit log',
    icon: KeyRound,
    load: async () => ({ Page: (await import('./pages/account/audit-log')).AuditLogPage }),
  },
  {
    path: '/developer',
    title: 'Developer',
    icon: Code,
    group: 'Platform',
    load: async () => ({ Page: (await import('./pages/developer/developer')).DeveloperPage }),
  },
  {
    path: '/admin',
    title: 'Administration',
    icon: ShieldCheck,
    group: 'Platform',
    isForAdmins: true,
    load: async () => ({ Page: (await import('./pages/admin/admin')).AdminPage }),
  },
  {
    path: '/admin/users/$address',
    title: 'User',
    icon: ShieldCheck,
    load: async () => ({ Page: (await import('./pages/admin/user')).UserPage }),
  },
];
