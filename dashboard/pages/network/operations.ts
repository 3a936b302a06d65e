import { graphql } from '../../graphql/graphql';

export const PROVISION = graphql('mutation { provisionTenant { id } }');
export const UNDO = graphql('mutation ($id: String) { undoLastChange(id: $id) { id revision } }');
export const LAST_CHANGES = graphql('query ($limit: Int!) { networkChanges(limit: $limit) { id revision } }');
export const CREATE_GROUP = graphql('mutation ($label: String!) { createGroup(label: $label) { id label } }');
export const DELETE_GROUP = graphql('mutation ($id: Int!) { deleteGroup(id: $id) }');
export const DELETE_PEER = graphql('mutation ($id: Int!) { deletePeer(id: $id) }');
export const DELETE_POLICY = graphql('mutation ($id: Int!) { deletePolicy(id: $id) }');
export const ENABLE_POLICY = graphql(
  'mutation ($id: Int!, $enabled: Boolean!) { updatePolicy(id: $id, enabled: $enabled) { id name } }',
);
export const SET_GROUPS = graphql(
  'mutation ($id: Int!, $groups: [Int!]!) { updatePeer(id: $id, groups: $groups) { id groups } }',
);

export const ENROLL = graphql(`
  mutation ($label: String, $groupId: Int) {
    enrollPeer(vmLabel: $label, groupId: $groupId) {
      id
      name
      peer
      joinCommand
      expiresAt
    }
  }
`);

export const CREATE_POLICY = graphql(`
  mutation (
    $source: Int!
    $dest: Int!
    $action: PolicyAction
    $protocol: PolicyProtocol
    $ports: [String!]
    $bidirectional: Boolean
  ) {
    createPolicy(
      sourceGroupId: $source
      destGroupId: $dest
      action: $action
      protocol: $protocol
      ports: $ports
      bidirectional: $bidirectional
    ) {
      id
      name
    }
  }
`);

export const UPDATE_POLICY = graphql(`
  mutation (
    $id: Int!
    $source: Int!
    $dest: Int!
    $action: PolicyAction
    $protocol: PolicyProtocol
    $ports: [String!]
    $bidirectional: Boolean
  ) {
    updatePolicy(
      id: $id
      sourceGroupId: $source
      destGroupId: $dest
      action: $action
      protocol: $protocol
      ports: $ports
      bidirectional: $bidirectional
    ) {
      id
      name
    }
  }
`);

const TRAFFIC = graphql('fragment Traffic on PlannedTraffic { from to protocol ports }');

export const PLAN = graphql(
  `
    query (
      $id: Int
      $source: Int
      $dest: Int
      $action: PolicyAction
      $protocol: PolicyProtocol
      $ports: [String!]
      $bidirectional: Boolean
      $enabled: Boolean
      $delete: Boolean
    ) {
      planPolicy(
        id: $id
        sourceGroupId: $source
        destGroupId: $dest
        action: $action
        protocol: $protocol
        ports: $ports
        bidirectional: $bidirectional
        enabled: $enabled
        delete: $delete
      ) {
        opensTotal
        closesTotal
        opens {
          ...Traffic
        }
        closes {
          ...Traffic
        }
      }
    }
  `,
  [TRAFFIC],
);

export const REACHABILITY = graphql(`
  query ($from: String!, $to: String!, $protocol: PolicyProtocol, $port: Int) {
    reachability(from: $from, to: $to, protocol: $protocol, port: $port) {
      reachable
      reason
      policy {
        id
        sourceGroupId
        destGroupId
      }
    }
  }
`);

export const HISTORY = graphql(`
  query ($before: Int, $limit: Int!) {
    networkChanges(before: $before, limit: $limit) {
      id
      revision
      at
      byUserId
      undoes
      undoneBy
      items {
        kind
        id
        before
        after
      }
    }
  }
`);

export const NETWORKS = graphql('{ networks { id name description isDefault resourceIds routerIds } }');

export const CREATE_RESOURCE = graphql(`
  mutation ($networkId: Int!, $name: String!, $address: String!, $groups: [Int!]) {
    createResource(networkId: $networkId, name: $name, address: $address, groups: $groups) {
      id
      name
    }
  }
`);
export const UPDATE_RESOURCE = graphql(`
  mutation ($networkId: Int!, $id: Int!, $name: String!, $address: String!, $groups: [Int!]!, $enabled: Boolean!) {
    updateResource(networkId: $networkId, id: $id, name: $name, address: $address, groups: $groups, enabled: $enabled) {
      id
      name
    }
  }
`);
export const DELETE_RESOURCE = graphql(
  'mutation ($networkId: Int!, $id: Int!) { deleteResource(networkId: $networkId, id: $id) }',
);
export const CREATE_ROUTER = graphql(`
  mutation ($networkId: Int!, $peerId: Int!, $metric: Int!, $masquerade: Boolean!, $enabled: Boolean!) {
    createRouter(networkId: $networkId, peerId: $peerId, metric: $metric, masquerade: $masquerade, enabled: $enabled) {
      id
    }
  }
`);
export const DELETE_ROUTER = graphql(
  'mutation ($networkId: Int!, $id: Int!) { deleteRouter(networkId: $networkId, id: $id) }',
);
export const CREATE_NETWORK = graphql('mutation ($name: String!) { createNetwork(name: $name) { id name } }');
export const DELETE_NETWORK = graphql('mutation ($id: Int!) { deleteNetwork(id: $id) }');

export const PLAN_NETWORK = graphql(
  `
    query ($document: NetworkDocument!) {
      planNetwork(document: $document) {
        opensTotal
        closesTotal
        opens {
          ...Traffic
        }
        closes {
          ...Traffic
        }
      }
    }
  `,
  [TRAFFIC],
);
