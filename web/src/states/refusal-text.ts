import { texts } from '../texts.ts';
import type { Refusal } from './trouble.ts';

export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'read-only':
      return texts.states.readOnly;
    case 'forbidden':
      return texts.states.forbidden(refusal.scope);
    case 'refused':
      return texts.states.refused(refusal.message);
    case 'failed':
      return texts.states.failed(refusal.message, refusal.requestId);
  }
}
