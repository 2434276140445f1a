import type { WebConfig } from './web-config.ts';

/** What is offered. The service decides what is done. */
export interface Rights {
  /** Upload and edit. */
  readonly write: boolean;
  readonly delete: boolean;
}

/** @param granted scopes of the token; everything is offered if they are not known */
export function rightsOf(
  { readOnly, scopes }: Pick<WebConfig, 'readOnly' | 'scopes'>,
  granted: readonly string[] | undefined,
): Rights {
  const has = (scope: string | null): boolean =>
    scope === null || granted === undefined || granted.includes(scope);
  return { write: !readOnly && has(scopes.write), delete: !readOnly && has(scopes.delete) };
}
