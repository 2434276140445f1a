import type { CatalogError } from '../../../client/src/catalog-error.ts';
import { certificateAdvice, connectionAdvice, PROXY_OF_FETCH } from '../config/connection-advice.ts';

/** What the service or the provider said or, if a command did not reach it, why, and what to do about it. */
export function explainCatalogError(error: CatalogError): string {
  const parts = [
    unsaidReason(error),
    connectionAdvice(reasonOf(error) ?? '', PROXY_OF_FETCH),
    tokenAdvice(error),
  ];
  return [`${error.message} (${error.code})`, ...parts].filter((part) => part !== undefined).join(': ');
}

/** For a token that the service refuses because it was not requested for it. */
function tokenAdvice({ code, message }: CatalogError): string | undefined {
  if (code !== 'invalid_token' || !/^jwt (?:malformed|audience invalid)/.test(message)) return undefined;
  return 'request the token for the audience of the service: CATALOG_AUDIENCE or CATALOG_RESOURCE, whichever the provider reads';
}

/** Waiting does not help against a certificate that is not trusted. */
export function isCertificateError(error: CatalogError): boolean {
  return certificateAdvice(reasonOf(error) ?? '') !== undefined;
}

/** Why a request got no response, unless the message of the error has it. */
export function unsaidReason(error: CatalogError): string | undefined {
  const reason = reasonOf(error);
  return reason !== undefined && error.message.includes(reason) ? undefined : reason;
}

/** In the words of Node.js. `fetch` has them in the cause of its error. */
function reasonOf(error: Error): string | undefined {
  const { cause } = error;
  if (!(cause instanceof Error)) return undefined;
  // The error of a host with several addresses has a code, and no message.
  return reasonOf(cause) ?? (cause.message || (cause as NodeJS.ErrnoException).code);
}
