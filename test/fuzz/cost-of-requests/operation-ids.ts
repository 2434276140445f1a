import { defaultDocument } from '../../support/openapi/default-document.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/**
 * Of the operations of the OpenAPI document.
 *
 * @param only the operations of this method, in lower case; by default all
 */
export function operationIds(only?: string): readonly string[] {
  const { paths } = defaultDocument() as Document;
  return Object.values(paths)
    .flatMap((item) => Object.entries(item))
    .filter(([method]) => only === undefined || method === only)
    .flatMap(([, { operationId }]) => operationId ?? []);
}
