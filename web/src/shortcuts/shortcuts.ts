import { type DeviceStorage, Setting } from '../base/setting.ts';
import { Store } from '../base/store.ts';

/** The part of a `KeyboardEvent` that decides. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
}

/** Where the focus is when a key is pressed. */
export interface KeyContext {
  /** In a field that takes text. */
  readonly typing: boolean;
  /** On a control for which Enter and Space have a meaning. */
  readonly onControl: boolean;
  /** The modal dialog on top, if one is open. */
  readonly dialog: object | undefined;
}

export interface Shortcut {
  /** As in `u`, `?`, `Escape`, `ArrowLeft`, `Space`, `shift+ArrowLeft`; `mod+k` is ⌘K on Apple devices and Ctrl+K elsewhere. */
  readonly keys: readonly string[];
  /** Without: only while no dialog is open. `any`: always. A dialog: only while it is the one on top. */
  readonly within?: 'any' | (() => object | null) | undefined;
  /** Also while a text is being typed. */
  readonly typing?: boolean | undefined;
  /** @returns `false` if it did nothing: the key is passed on */
  readonly run: (press: KeyPress) => unknown;
}

/** The keys of all rooms. The latest registration of a key comes first. */
export class Shortcuts {
  /** Whether the list of keys is shown. */
  readonly listed = new Store(false);
  /** Whether letters and signs act without Ctrl or ⌘ (WCAG 2.1.4): speech input types them. */
  readonly characters: Setting<'on' | 'off'>;
  readonly #registered: Shortcut[] = [];

  constructor(storage?: DeviceStorage) {
    this.characters = new Setting('character-keys', ['on', 'off'], storage);
  }

  /** @returns a function that ends the registration */
  register(shortcut: Shortcut): () => void {
    this.#registered.unshift(shortcut);
    return () => {
      const index = this.#registered.indexOf(shortcut);
      if (index >= 0) this.#registered.splice(index, 1);
    };
  }

  /** @returns whether a shortcut took the key */
  handle(press: KeyPress, context: KeyContext): boolean {
    if (isCharacter(press) && this.characters.value.get() === 'off') return false;
    const names = namesOf(press);
    const candidates = this.#registered.filter(
      (shortcut) => shortcut.keys.some((key) => names.includes(key)) && applies(shortcut, press, context),
    );
    return candidates.some((shortcut) => shortcut.run(press) !== false);
  }
}

function applies({ within, typing = false }: Shortcut, press: KeyPress, context: KeyContext): boolean {
  if (context.typing && !typing) return false;
  if (context.onControl && (press.key === 'Enter' || press.key === ' ')) return false;
  if (within === 'any') return true;
  return (within?.() ?? undefined) === context.dialog;
}

function isCharacter({ key, ctrlKey, metaKey }: KeyPress): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey;
}

/** How this press may be written in `keys`. */
function namesOf({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyPress): readonly string[] {
  const isLetter = /^\p{L}$/u.test(key);
  // A key that is held down repeats: good for arrows and zoom, but not for actions.
  if (altKey || (isLetter && repeat)) return [];
  const name = key === ' ' ? 'Space' : isLetter ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return ctrlKey && metaKey ? [] : [`mod+${name}`];
  // Shift is a part of signs such as ?, and not of letters and named keys.
  const isSign = key.length === 1 && !isLetter && key !== ' ';
  return shiftKey && !isSign ? [`shift+${name}`] : [name];
}
