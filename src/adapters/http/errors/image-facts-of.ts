/** The fields with which a log line names the image of an error: the log itself writes no fields of errors. */
export function imageFactsOf(error: unknown): object {
  if (!(error instanceof Error && 'imageId' in error)) return {};
  return { imageId: error.imageId, ...('blobKey' in error && { blobKey: error.blobKey }) };
}
