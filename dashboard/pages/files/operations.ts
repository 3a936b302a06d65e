import { graphql, type ResultOf } from '../../graphql/graphql';

export const OVERVIEW = graphql(`
  query ($owner: String!) {
    folders(ownerAddress: $owner) {
      folders {
        folderHash
        label
        deviceName
        fileCount
        totalBytes
        updatedAt
      }
    }
    storageSummary(ownerAddress: $owner) {
      totalBytes
      fileCount
      restorableBytes
      chargedBytes
    }
    storagePrice {
      creditsPerGibMonth
    }
    canUpload(ownerAddress: $owner, sizeBytes: 0) {
      result
      error
    }
  }
`);

export const BROWSE = graphql(`
  query ($owner: String!, $folder: String!, $path: String!, $offset: Int!) {
    browseFolder(
      ownerAddress: $owner
      folderHash: $folder
      path: $path
      offset: $offset
      limit: 200
      sortBy: "file_name"
      sortOrder: "asc"
    ) {
      totalCount
      hasMore
      folders {
        name
        fileCount
        totalBytes
      }
      files {
        fileId
        fileName
        folderHash
        folderLabel
        relativePath
        sizeBytes
        updatedAt
        revisionId
        revisionSeq
      }
    }
  }
`);

export const SEARCH = graphql(`
  query ($owner: String!, $q: String!, $type: String, $min: Decimal, $max: Decimal, $from: Decimal, $after: String) {
    searchFiles(
      ownerAddress: $owner
      q: $q
      fileType: $type
      sizeMin: $min
      sizeMax: $max
      dateFrom: $from
      after: $after
      limit: 100
      sortBy: "updated_at"
    ) {
      totalCount
      endCursor
      hasMore
      files {
        fileId
        fileName
        folderHash
        folderLabel
        relativePath
        sizeBytes
        updatedAt
        revisionId
        revisionSeq
      }
    }
  }
`);

/** A stored file, by which a phrase is checked. */
export const ANY_FILE = graphql(`
  query ($owner: String!) {
    searchFiles(ownerAddress: $owner, limit: 5) {
      files {
        folderLabel
        encryptedPath
      }
    }
  }
`);

export const DELETED = graphql(`
  query ($owner: String!, $offset: Int!) {
    deletedFolders(ownerAddress: $owner, limit: 200, offset: $offset) {
      folderId
      label
      fileCount
      totalBytes
      deletedAt
      restorableUntil
    }
  }
`);

export const REGISTER = graphql(`
  mutation ($owner: String!, $hash: String!, $label: String!) {
    registerFolder(ownerAddress: $owner, folderHash: $hash, label: $label, deviceName: "Dashboard") {
      __typename
    }
  }
`);

export const UNREGISTER = graphql(`
  mutation ($owner: String!, $hash: String!) {
    unregisterFolder(ownerAddress: $owner, folderHash: $hash) {
      filesDeleted
    }
  }
`);

export const RESTORE = graphql(`
  mutation ($owner: String!, $id: ID!) {
    restoreFolder(ownerAddress: $owner, folderId: $id) {
      folderHash
    }
  }
`);

export const PURGE = graphql(`
  mutation ($owner: String!, $id: ID!) {
    purgeFolder(ownerAddress: $owner, folderId: $id) {
      purged
    }
  }
`);

export const DELETE_FILES = graphql(`
  mutation ($owner: String!, $hash: String!, $ids: [String!]!) {
    deleteFiles(ownerAddress: $owner, folderHash: $hash, fileIds: $ids) {
      filesDeleted
      errors {
        message
      }
    }
  }
`);

/** The uploads of every folder that are not finished, of all devices. */
export const OPEN_UPLOADS = graphql(`
  query ($owner: String!) {
    folders(ownerAddress: $owner) {
      folders {
        folderHash
        openUploads {
          sessionId
          relativePath
          fileName
          ciphertextSize
          receivedBytes
          expiresAt
        }
      }
    }
  }
`);

export const DROP_SESSION = graphql('mutation ($id: ID!) { deleteUploadSession(sessionId: $id) { deleted } }');

export type FolderRow = ResultOf<typeof OVERVIEW>['folders']['folders'][number];
export type OpenUpload = ResultOf<typeof OPEN_UPLOADS>['folders']['folders'][number]['openUploads'][number];
export type Listing = ResultOf<typeof BROWSE>['browseFolder'];
export type FileRow = Listing['files'][number];
/** The last part of the path of a file. */
export function nameOf({ fileName, relativePath, fileId }: FileRow): string {
  return relativePath?.split('/').at(-1) ?? fileName ?? fileId;
}

export type DeletedRow = ResultOf<typeof DELETED>['deletedFolders'][number];
