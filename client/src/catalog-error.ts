import { type FailureKind, failureKindOf } from './failure-kind.ts';

export interface ErrorFacts {
  /** The `code` of the service, `network_error`, or `unexpected_response` if the response is not of the service. */
  readonly code: string;
  /** The status of the response; 0 if there is none. */
  readonly status: number;
  readonly requestId?: string | undefined;
  /** How long the service wants clients to wait. */
  readonly retryAfterMs?: number | undefined;
  /** That the token lacks. */
  readonly scope?: string | undefined;
}

/** A request that the service refused, or that did not reach it. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly kind: FailureKind;
  declare readonly code: string;
  declare readonly status: number;
  declare readonly requestId: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly scope: string | undefined;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.kind = failureKindOf(facts);
    Object.assign(this, facts);
  }
}

/** A `CatalogError` stays what it is. */
export function networkError(cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  return new CatalogError('The service cannot be reached', { code: 'network_error', status: 0 }, { cause });
}

/** Reads the body of a response that is not a success. */
export async function errorOf(response: Response): Promise<CatalogError> {
  const { status, headers } = response;
  const { code, message } = bodyOf(await response.text().catch(() => ''));
  return new CatalogError(message ?? `The response has the status ${status}`, {
    code: code ?? 'unexpected_response',
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers),
    scope: scopeOf(headers.get('www-authenticate')),
  });
}

function bodyOf(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return (JSON.parse(text) as { code?: string; message?: string } | null) ?? {};
  } catch {
    return {};
  }
}

/** Seconds or a date: RFC 9110, section 10.2.3. */
function retryAfterMs(headers: Headers): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  // The clock of the device may be hours behind; browsers hide that of another origin.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms >= 0 ? ms : undefined;
}

/** RFC 6750, section 3. A scope contains no quotes. */
function scopeOf(header: string | null): string | undefined {
  return /(?:^|[ ,])scope="([^"]+)"/i.exec(header ?? '')?.[1];
}
