import { FIRST_ICONS } from '../controls/first-icons.ts';
import type { Language } from '../languages/language.ts';
import { catalogName } from '../states/catalog-name.ts';

/** A sentence in the place of the whole page. */
export interface FirstState {
  readonly icon: keyof typeof FIRST_ICONS;
  readonly title: string;
  readonly hint: string;
  /** Something went wrong: screen readers say the title at once. */
  readonly alert?: boolean;
  /** Missing if nothing can be done. */
  readonly action?: {
    readonly label: string;
    /** Missing while it is under way. */
    readonly run?: () => unknown;
  };
}

/** The page before the pictures: the header of index.html and a sentence. Without React, which comes with the pictures. */
export class FirstPage {
  /** Holds what is shown. */
  readonly root: Element;
  readonly #header: Element;
  #describe: (() => FirstState) | undefined;

  constructor(root: Element, language: Language) {
    this.root = root;
    this.#header = find(root, 'header');
    language.current.subscribe(this.draw);
  }

  /** @param describe is called again when the page is drawn again, as in another language */
  show(describe: () => FirstState): void {
    this.#describe = describe;
    this.draw();
  }

  /** What is drawn stays until something else takes its place. */
  leave(): void {
    this.#describe = undefined;
  }

  readonly draw = (): void => {
    const state = this.#describe?.();
    if (state === undefined) return;
    const { action } = state;
    const button =
      action &&
      element('button', { type: 'button', className: 'button', disabled: !action.run }, action.label);
    button?.setAttribute('data-kind', 'primary');
    button?.addEventListener('click', () => void action?.run?.());
    const title = element('div', {}, element('h2', { className: 'state-title' }, state.title));
    if (state.alert === true) title.role = 'alert';
    const hint = element('p', { className: 'state-hint' }, state.hint);
    const content = element('div', { className: 'state' }, this.#icon(state.icon), title, hint, button ?? '');
    const hadFocus = document.activeElement?.matches('.state > button') ?? false;
    find(this.#header, '.header-name').textContent = catalogName();
    this.root.replaceChildren(this.#header, element('main', { className: 'state-page' }, content));
    if (hadFocus) button?.focus();
  };

  #icon(name: FirstState['icon']): Node {
    const icon = find(this.#header, 'svg').cloneNode(true) as Element;
    find(icon, 'path').setAttribute('d', FIRST_ICONS[name]);
    return icon;
  }
}

function find(parent: Element, selector: string): Element {
  const found = parent.querySelector(selector);
  if (found === null) throw new TypeError(`index.html has no ${selector}`);
  return found;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
