import type { InspectionRequester } from '../../domain/ports/pictures/image-inspector.ts';

/** A command that inspects a blob. */
export function byCommand(): InspectionRequester {
  return { signal: new AbortController().signal, subject: '' };
}
