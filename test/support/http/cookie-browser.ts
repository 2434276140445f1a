/** Follows pages as a browser without scripts does: it keeps cookies, follows redirects and submits forms. */
export class CookieBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects until a page comes, or an address outside of `origin`, which is not requested. */
  async open(url: string, origin: string, init: RequestInit = {}): Promise<Landing> {
    const response = await fetch(url, { ...init, redirect: 'manual', headers: this.#headers(init) });
    this.#keepCookies(response);
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, html: await response.text() };
    await response.body?.cancel();
    const next = new URL(location, url);
    if (next.origin !== origin) return { url: next.href, status: response.status, html: '' };
    return await this.open(next.href, origin);
  }

  /** Presses the one button of a page. */
  async press(page: Landing): Promise<Landing> {
    const action = /<form[^>]* action="([^"]*)"/.exec(page.html)?.[1] ?? page.url;
    const fields = [...page.html.matchAll(/<(?:input|button)[^>]* name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    if (!page.html.includes('<button')) throw new Error(`There is no button in ${page.html}`);
    const { origin } = new URL(page.url);
    return await this.open(action, origin, { method: 'POST', body: new URLSearchParams(fields) });
  }

  #headers({ headers }: RequestInit): Headers {
    const all = new Headers(headers);
    if (this.#cookies.size > 0) {
      all.set('cookie', [...this.#cookies].map((pair) => pair.join('=')).join('; '));
    }
    return all;
  }

  #keepCookies(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

/** Where a request ended. */
export interface Landing {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}
