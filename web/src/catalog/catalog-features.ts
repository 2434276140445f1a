/** Operations of the service, by their `operationId`, without which a part of the gallery is hidden. */
export type Feature =
  | 'uploadImage'
  | 'deleteImage'
  | 'timeline'
  | 'makeLinks'
  | 'getMetadata'
  | 'patchMetadata'
  | 'tagImages'
  | 'listTags'
  | 'findSimilar'
  | 'lookUpImages';

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** Reads from `openapi.json` of the web listener what the service can do. */
export async function loadFeatures(): Promise<ReadonlySet<string>> {
  const response = await fetch('./openapi.json');
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  const { paths } = (await response.json()) as OpenApiDocument;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Set(operations.flatMap(({ operationId }) => operationId ?? []));
}
