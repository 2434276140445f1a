import type { WebConfig } from './web-config.ts';

/** What is offered. The service decides what is done. */
export interface Rights {
  /** Upload and edit. */
  readonly write: boolean;
  readonly delete: boolean;
  /** Give names public addresses. */
  readonly publish: boolean;
  /** See what is published, also while the catalog is read-only. */
  readonly seePublished: boolean;
}

/** @param granted scopes of the token; everything is offered if they are not known */
export function rightsOf(
  { readOnly, scopes, publishNames }: Pick<WebConfig, 'readOnly' | 'scopes' | 'publishNames'>,
  granted: readonly string[] | undefined,
): Rights {
  const has = (scope: string | null): boolean =>
    scope === null || granted === undefined || granted.includes(scope);
  const write = has(scopes.write);
  const seePublished = publishNames && write && has(scopes.publish);
  return {
    write: !readOnly && write,
    delete: !readOnly && has(scopes.delete),
    publish: !readOnly && seePublished,
    seePublished,
  };
}
