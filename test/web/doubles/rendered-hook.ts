import { mock } from 'node:test';
import { act, createElement, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { settled } from '../../support/time/gate.ts';

interface Globals {
  window?: unknown;
  document?: unknown;
  IS_REACT_ACT_ENVIRONMENT?: boolean;
}

const globals = globalThis as Globals;

const FAR_MS = 60_000;
const START = Date.parse('2026-11-22T12:00:00Z');

/** As much of a document as React needs for a component that renders nothing. */
function emptyPage(): { readonly container: unknown; readonly window: object; readonly document: object } {
  const document = {
    nodeType: 9,
    activeElement: null as unknown,
    addEventListener: noop,
    removeEventListener: noop,
    querySelector: () => null,
  };
  const window = {
    document,
    event: undefined,
    HTMLIFrameElement: class {},
    devicePixelRatio: 1,
    matchMedia: () => ({ matches: false }),
    setTimeout: globalThis.setTimeout,
  };
  const container = {
    nodeType: 1,
    tagName: 'DIV',
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    ownerDocument: Object.assign(document, { defaultView: window }),
    addEventListener: noop,
    removeEventListener: noop,
  };
  return { container, window, document };
}

export type Wrap = (children: ReactNode) => ReactNode;

/** A React hook in a component without elements, outside of a browser. Timers stand still until the test lets time pass. */
export class RenderedHook<Value> {
  readonly #root: Root;
  readonly #hook: () => Value;
  readonly #wrap: Wrap;
  #value: Value | undefined;
  #isMounted = true;

  private constructor(root: Root, hook: () => Value, wrap: Wrap) {
    this.#root = root;
    this.#hook = hook;
    this.#wrap = wrap;
  }

  /** @param wrap puts the component below the providers that the hook needs */
  static async render<Value>(
    hook: () => Value,
    wrap: Wrap = (children) => children,
  ): Promise<RenderedHook<Value>> {
    // Of a hook that has failed.
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: START });
    const { container, window, document } = emptyPage();
    Object.assign(globals, { window, document, IS_REACT_ACT_ENVIRONMENT: true });
    const rendered = new RenderedHook(createRoot(container as Element), hook, wrap);
    await rendered.again();
    return rendered;
  }

  /** What the hook has returned last. */
  get value(): Value {
    return this.#value as Value;
  }

  /** Renders once more: what the hook reads from the test may have changed. */
  async again(): Promise<void> {
    await this.do(() => this.#root.render(this.#wrap(createElement(this.#component))));
  }

  /** Does something that changes the state of the hook, and waits until its effects and requests have ended. */
  async do(change: (value: Value) => unknown): Promise<void> {
    await act(async () => void (await change(this.value)));
    await this.pass(1);
  }

  /** Lets time pass; timers that begin meanwhile do not end. */
  async pass(ms: number): Promise<void> {
    for (const part of [ms, 1, 1]) {
      await act(async () => {
        mock.timers.tick(part);
        await settled();
      });
    }
  }

  async unmount(): Promise<void> {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    await act(async () => this.#root.unmount());
    // Nothing may be left that still happens.
    mock.timers.tick(FAR_MS);
    mock.timers.reset();
    delete globals.window;
    delete globals.document;
    delete globals.IS_REACT_ACT_ENVIRONMENT;
  }

  readonly #component = (): null => {
    this.#value = this.#hook();
    return null;
  };
}

function noop(): void {}
