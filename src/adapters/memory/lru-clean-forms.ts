import { LRUCache } from 'lru-cache';
import type { CleanForm, RecentCleanForms } from '../../domain/ports/bytes/recent-clean-forms.ts';

/** A part takes about 100 bytes. */
const MAX_PARTS = 50_000;

/** No form becomes wrong: it follows from an original, and originals never change. */
export class LruCleanForms implements RecentCleanForms {
  private readonly forms = new LRUCache<string, CleanForm>({
    maxSize: MAX_PARTS,
    sizeCalculation: (form) => (form.kind === 'parts' ? form.parts.length : 0) + 1,
  });

  get(path: string): CleanForm | undefined {
    return this.forms.get(path);
  }

  set(path: string, form: CleanForm): void {
    this.forms.set(path, form);
  }
}
