import { CatalogError } from '@image-catalog/client';

/** Whether the service has refused a request with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof CatalogError && error.code === code;
}
