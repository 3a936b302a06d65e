import { Archive, BadgeCheck, Box, FolderLock, Network, Server, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql';

// Fields of `me` are null where they fail, so that the others are found.
const ITEMS = graphql(`
  {
    me {
      id
      vmInstances {
        uuid
        name
      }
      peers {
        id
        label
        ip
      }
      groups {
        id
        label
      }
      folders {
        folderHash
        label
      }
      buckets {
        name
      }
      certificates {
        certificateId
        reference
        ip
      }
    }
    models(pageSize: 200) {
      results {
        project
        repo
      }
    }
  }
`);

/** Something of the user that has a page. */
export interface Item {
  readonly title: string;
  /** What else it is found by. */
  readonly detail?: string;
  readonly href: string;
}

/** Items of one kind. */
export interface ItemGroup {
  readonly heading: string;
  readonly icon: LucideIcon;
  readonly items: readonly Item[];
}

/** The items of the user as they were when the palette was opened. */
export interface Items {
  readonly state: 'loading' | 'loaded' | 'failed';
  readonly groups: readonly ItemGroup[];
}

/** Loads the items of the user, once. */
export function useItems(): Items {
  const client = useClient();
  const [items, setItems] = useState<Items>({ state: 'loading', groups: [] });
  useEffect(() => {
    let isShown = true;
    // A subscriber would have them loaded again after a mutation.
    const load = async () => {
      const { data, error } = await client.query(ITEMS, {}, { requestPolicy: 'network-only' });
      if (isShown) setItems({ state: error ? 'failed' : 'loaded', groups: data ? groupsOf(data) : [] });
    };
    void load();
    return () => void (isShown = false);
  }, [client]);
  return items;
}

function groupsOf({ me, models }: ResultOf<typeof ITEMS>): readonly ItemGroup[] {
  const { vmInstances, peers, groups, folders, buckets, certificates } = me;
  return [
    group('Machines', Server, vmInstances, ({ uuid, name }) => ({ title: name, href: `/machines/${uuid}` })),
    group('Peers', Network, peers, ({ id, label, ip }) => ({ title: label, detail: ip, href: nodeHref('peer', id) })),
    group('Groups', Network, groups, ({ id, label }) => ({ title: label, href: nodeHref('group', id) })),
    group('Folders', FolderLock, folders, ({ folderHash, label }) => ({ title: label, href: `/files/${folderHash}` })),
    group('Buckets', Archive, buckets, ({ name }) => ({ title: name, href: '/buckets' })),
    group('Certificates', BadgeCheck, certificates, ({ ip, reference }) => ({
      title: ip,
      detail: reference,
      href: '/certificates',
    })),
    group('Models', Box, models.results, ({ project, repo }) => ({
      title: `${project}/${repo}`,
      href: `/models/${project}/${repo}`,
    })),
  ];
}

function group<Row>(heading: string, icon: LucideIcon, rows: readonly Row[] | null, itemOf: (row: Row) => Item) {
  return { heading, icon, items: (rows ?? []).map(itemOf) };
}

function nodeHref(type: 'peer' | 'group', id: number): string {
  return `/network?node=${type}:${id}`;
}
