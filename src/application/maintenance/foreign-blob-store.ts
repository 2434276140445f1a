/** Records and blobs belong to different catalogs. Nothing was changed. */
export class ForeignBlobStore extends Error {
  constructor(
    readonly catalogId: string | undefined,
    /** `undefined` if the store has no owner, but blobs without a record. */
    readonly owner: string | undefined,
  ) {
    super(
      owner === undefined
        ? 'the blob store has blobs, and the database knows none of them'
        : `the blob store belongs to the catalog ${owner}, and the database has ${catalogId === undefined ? 'none yet' : `the catalog ${catalogId}`}`,
    );
  }
}
