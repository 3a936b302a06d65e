import { graphql } from '../../graphql/graphql';

/** What is offered, and what was retired. */
export const CATALOGUE = graphql(`
  {
    vmFlavors {
      ...Flavor
    }
    vmImages {
      ...Image
    }
    vmApplications {
      ...Application
    }
    adminRetiredVmFlavors {
      ...Flavor
    }
    adminRetiredVmImages {
      ...Image
    }
    adminRetiredVmApplications {
      ...Application
    }
  }
  fragment Flavor on VmFlavor {
    id
    name
    displayName
    description
    cpuCores
    memoryMb
    dataDiskGb
    creditsPerHour
    stoppedCreditsPerHour
  }
  fragment Image on VmImage {
    id
    name
    slug
    description
  }
  fragment Application on VmApplication {
    id
    name
    slug
    description
    logoUrl
    probePort
    probePath
    userData
  }
`);
export const SAVE_FLAVOR = graphql(`
  mutation (
    $id: Int
    $name: String!
    $title: String!
    $about: String
    $cores: Int!
    $memory: Int!
    $disk: Int!
    $price: Decimal!
    $stopped: Decimal
  ) {
    adminSaveVmFlavor(
      id: $id
      name: $name
      displayName: $title
      description: $about
      cpuCores: $cores
      memoryMb: $memory
      dataDiskGb: $disk
      creditsPerHour: $price
      stoppedCreditsPerHour: $stopped
    ) {
      id
    }
  }
`);
export const SAVE_IMAGE = graphql(`
  mutation ($id: Int, $name: String!, $slug: String!, $about: String!) {
    adminSaveVmImage(id: $id, name: $name, slug: $slug, description: $about) {
      id
    }
  }
`);
export const SAVE_APPLICATION = graphql(`
  mutation (
    $id: Int
    $name: String!
    $slug: String!
    $about: String!
    $logo: String
    $port: Int
    $path: String
    $userData: String
  ) {
    adminSaveVmApplication(
      id: $id
      name: $name
      slug: $slug
      description: $about
      logoUrl: $logo
      probePort: $port
      probePath: $path
      userData: $userData
    ) {
      id
    }
  }
`);
export const RETIRE_FLAVOR = graphql('mutation ($id: Int!) { adminRetireVmFlavor(id: $id) { id } }');
export const RETIRE_IMAGE = graphql('mutation ($id: Int!) { adminRetireVmImage(id: $id) { id } }');
export const RETIRE_APPLICATION = graphql('mutation ($id: Int!) { adminRetireVmApplication(id: $id) { id } }');
