/** Default and maximum page size of deleted folders. */
export const DELETED_PAGE = { defaultLimit: 100, maxLimit: 200 } as const;
