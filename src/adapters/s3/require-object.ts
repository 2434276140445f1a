/** A page of a proxy or captive portal has status 200, but no ETag. */
export function requireObject({ ETag }: { readonly ETag?: string | undefined }): void {
  if (ETag === undefined) throw new Error('The response has no ETag, so it is not from an S3 server');
}
