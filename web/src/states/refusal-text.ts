import { texts } from '../texts.ts';
import type { Refusal } from './trouble.ts';

export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'updated':
      return texts.states.updated;
    case 'read_only':
      return texts.states.readOnly;
    case 'forbidden':
      return texts.states.forbidden(refusal.scope);
    case 'unauthorized':
      return texts.states.refused(refusal.message);
    case 'failed':
      return texts.states.failed(refusal.message, refusal.requestId);
  }
}
