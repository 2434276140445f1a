import type { KeyContext } from './shortcuts.ts';

const NOT_TEXT = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);
const CONTROLS =
  'button, a[href], summary, select, input, [role="button"], [role="option"], [role="menuitem"]';

export function keyContextOf(target: EventTarget | null): KeyContext {
  const element = target instanceof HTMLElement ? target : document.body;
  return {
    typing: takesText(element),
    onControl: element.closest(CONTROLS) !== null,
    dialog: element.closest('dialog:modal') ?? [...document.querySelectorAll('dialog:modal')].at(-1),
  };
}

function takesText(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !NOT_TEXT.has(element.type);
  return element.isContentEditable || element.matches('textarea, select');
}
