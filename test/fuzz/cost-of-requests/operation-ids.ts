import { defaultDocument } from '../../support/openapi/default-document.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** Of all operations of the OpenAPI document. */
export function operationIds(): readonly string[] {
  const { paths } = defaultDocument() as Document;
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => operationId ?? []);
}
