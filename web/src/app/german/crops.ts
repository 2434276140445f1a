import type { cropsTexts } from '../../crops/crops-texts.ts';

export const crops = {
  focus: 'Fokus von Ausschnitten',
  middle: 'Die Mitte',
  place: (left, top) => `${left} % von links, ${top} % von oben`,
  edit: 'Fokus von Ausschnitten setzen',
  hint: 'Anklicken, was Ausschnitte zeigen sollen, oder den Punkt mit den Pfeiltasten bewegen.',
  left: 'Von links',
  top: 'Von oben',
  clear: 'Die Mitte verwenden',
  crops: 'Ausschnitte',
  save: 'Speichern',
} satisfies typeof cropsTexts.english;
