/**
 * Without case and accents. The service knows more letters that are the same (contract, section 10): a twin that is not
 * found here is merged there.
 */
export function foldTag(tag: string): string {
  return tag.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
